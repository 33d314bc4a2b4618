import { type ProblemKind, problemKind } from '../platform/errors.ts'
import type { WorkflowKind } from './nodes/node-type.ts'

export const JourneyNotFound = problemKind(404, 'journey_not_found', 'There is no such journey')
export const JourneyVersionNotFound = problemKind(
  404,
  'journey_version_not_found',
  'There is no such version of a journey',
)
export const JourneyNotPublished = problemKind(
  409,
  'journey_not_published',
  'The journey has no published version',
)
export const JourneyNotActive = problemKind(409, 'journey_not_active', 'The journey is not active')
export const JourneyActive = problemKind(409, 'journey_active', 'The journey is active')
export const JourneyChanged = problemKind(
  409,
  'journey_changed',
  'The journey was changed while it was being published',
)

export const ChatbotNotFound = problemKind(404, 'chatbot_not_found', 'There is no such chatbot')
export const ChatbotVersionNotFound = problemKind(
  404,
  'chatbot_version_not_found',
  'There is no such version of the chatbot',
)
export const ChatbotNotPublished = problemKind(
  409,
  'chatbot_not_published',
  'The chatbot has no published version',
)
export const ChatbotNotActive = problemKind(409, 'chatbot_not_active', 'The chatbot is not active')
export const ChatbotActive = problemKind(409, 'chatbot_active', 'The chatbot is active')
export const ChatbotChanged = problemKind(
  409,
  'chatbot_changed',
  'The chatbot was changed while it was being published',
)
export const ChatbotScopeTaken = problemKind(
  409,
  'chatbot_scope_taken',
  'Another active chatbot answers there already',
)

interface Problems {
  notFound: ProblemKind
  versionNotFound: ProblemKind
  notPublished: ProblemKind
  notActive: ProblemKind
  active: ProblemKind
  changed: ProblemKind
}

/** The same faults under the names of each kind. */
export const workflowProblems: Record<WorkflowKind, Problems> = {
  journey: {
    notFound: JourneyNotFound,
    versionNotFound: JourneyVersionNotFound,
    notPublished: JourneyNotPublished,
    notActive: JourneyNotActive,
    active: JourneyActive,
    changed: JourneyChanged,
  },
  chatbot: {
    notFound: ChatbotNotFound,
    versionNotFound: ChatbotVersionNotFound,
    notPublished: ChatbotNotPublished,
    notActive: ChatbotNotActive,
    active: ChatbotActive,
    changed: ChatbotChanged,
  },
}
