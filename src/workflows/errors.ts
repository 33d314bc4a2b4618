import { type ProblemKind, problemKind } from '../platform/errors.ts'
import type { WorkflowKind } from './nodes/node-type.ts'

interface WorkflowProblems {
  notFound: ProblemKind
  versionNotFound: ProblemKind
  notPublished: ProblemKind
  notActive: ProblemKind
  active: ProblemKind
  changed: ProblemKind
  rightsLost: ProblemKind
}

function buildProblems(kind: WorkflowKind, name: string): WorkflowProblems {
  return {
    notFound: problemKind(404, `${kind}_not_found`, `${name} not found`),
    versionNotFound: problemKind(404, `${kind}_version_not_found`, `${name} version not found`),
    notPublished: problemKind(409, `${kind}_not_published`, `The ${kind} has no published version`),
    notActive: problemKind(409, `${kind}_not_active`, `The ${kind} is not active`),
    active: problemKind(409, `${kind}_active`, `The ${kind} is active`),
    changed: problemKind(409, `${kind}_changed`, `The ${kind} was changed while it was being published`),
    rightsLost: problemKind(
      409,
      `${kind}_publisher_rights_lost`,
      `The publisher of the ${kind} no longer has the rights that its nodes need`,
    ),
  }
}

export const workflowProblems: Record<WorkflowKind, WorkflowProblems> = {
  journey: buildProblems('journey', 'Journey'),
  chatbot: buildProblems('chatbot', 'Chatbot'),
}

export const ChatbotScopeTaken = problemKind(
  409,
  'chatbot_scope_taken',
  'An active chatbot could never be reached',
)

export const RightsMissing = problemKind(
  403,
  'workflow_rights_missing',
  'You lack rights that nodes of the workflow need',
)

export const RunNotFound = problemKind(404, 'run_not_found', 'Run not found')
export const RunEnded = problemKind(409, 'run_ended', 'The run has ended')
export const RunNotFailed = problemKind(409, 'run_not_failed', 'The run has not failed')
export const RunConflict = problemKind(
  409,
  'run_conflict',
  'Another run of the contact is in progress, and the entry mode allows one at a time',
)
export const EntryRefused = problemKind(409, 'journey_entry_refused', 'The contact cannot enter the journey')
export const SecretNotFound = problemKind(404, 'secret_not_found', 'Secret not found')
