import Type, { type Static } from 'typebox'
import { NewContact } from '../../contacts/schemas.ts'
import { AnyId, literals, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'

export const runStatuses = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const

const Anything = Type.Record(Type.String(), Type.Unknown())

export const WaitingFor = object({
  nodeId: AnyId,
  since: Timestamp,
  until: Type.Optional(Timestamp),
  message: Type.Optional(Type.Boolean({ description: 'the next message of the customer' })),
  question: Type.Optional(Type.String({ description: 'the message that asked; set if a reply is awaited' })),
  debounce: Type.Optional(
    Type.Boolean({ description: 'the run starts at `until` unless a newer event arrives' }),
  ),
  cases: Type.Optional(
    Type.Array(Anything, { description: 'events and conditions; the first that becomes true ends the wait' }),
  ),
  delivery: Type.Optional(Type.String({ description: 'a status change of this message' })),
  run: Type.Optional(Type.String({ description: 'the end of this run' })),
  http: Type.Optional(Type.Boolean({ description: 'the response to an HTTP request' })),
})

const RunError = object({ code: Type.String(), message: Type.String(), nodeId: AnyId })

const runMembers = {
  id: AnyId,
  tenantId: AnyId,
  workflowKind: literals(['journey', 'chatbot']),
  workflowId: AnyId,
  versionId: AnyId,
  contactId: AnyId,
  conversationId: nullable(AnyId),
  status: literals(runStatuses),
  nodeId: Type.String({ description: 'the current node, or the last one of an ended run' }),
  event: object({ name: Type.String(), key: nullable(Type.String()), data: Anything }),
  waitingFor: nullable(WaitingFor),
  held: Type.Optional(
    Type.Literal('publisher_rights_lost', {
      description:
        'the run continues when a user or key with the rights that its nodes need publishes or activates the workflow',
    }),
  ),
  endReason: nullable(Type.String()),
  error: nullable(RunError),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  endedAt: nullable(Timestamp),
}

export const WorkflowRun = named('WorkflowRun', object(runMembers))
export type WorkflowRun = Static<typeof WorkflowRun>

export const PathStep = object({
  n: Type.Integer(),
  nodeId: AnyId,
  type: Type.String(),
  at: Timestamp,
  input: Type.Unknown({ description: 'the input of the node' }),
  outcome: literals(['to', 'wait', 'http', 'jump', 'end', 'fail']),
  output: nullable(Type.String()),
  detail: nullable(Anything),
})

export const WorkflowRunDetail = named(
  'WorkflowRunDetail',
  object({ ...runMembers, variables: Anything, path: Type.Array(PathStep) }),
)
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>

/** The size in bytes is limited too; see `findDataViolation`. */
export const EventData = { ...Anything, maxProperties: 100 }

export const NewRun = object({
  contactId: AnyId,
  data: Type.Optional({ ...EventData, description: 'the run reads it as event.data; at most 32 KiB' }),
})

export const NewEvent = object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z][A-Za-z0-9_.:-]*$',
    patternMessage: 'must begin with a letter and have only letters, digits, _ . : or -',
    examples: ['cart.updated'],
  }),
  contactId: Type.Optional(AnyId),
  phone: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'instead of contactId' })),
  contact: Type.Optional({
    ...NewContact,
    description: 'instead of contactId: creates or updates the contact with this phone number',
  }),
  key: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'identifies the subject, such as a cart' }),
  ),
  data: Type.Optional(EventData),
})
export type NewEvent = Static<typeof NewEvent>

const ExplainedCondition = object({
  condition: Anything,
  holds: Type.Boolean(),
  implied: Type.Boolean(),
})

const Reason = object({ code: Type.String(), message: Type.String() })

export const EntryExplanation = named(
  'EntryExplanation',
  object({
    journeyId: AnyId,
    contactId: AnyId,
    wouldEnter: Type.Boolean({ description: 'if its trigger fired now' }),
    reasons: Type.Array(Reason),
    conditions: Type.Array(ExplainedCondition),
    keys: Type.Optional(
      Type.Array(
        object({
          key: nullable(Type.String()),
          wouldEnter: Type.Boolean(),
          reason: nullable(Reason),
        }),
        { description: 'what the entry mode allows for each key with which the contact has entered' },
      ),
    ),
    latestRun: nullable(WorkflowRun),
    events: Type.Array(
      object({ type: Type.String(), timestamp: Timestamp, outcome: Type.String(), message: Type.String() }),
      { description: 'the latest events about the contact that the trigger reads' },
    ),
  }),
)
export type EntryExplanation = Static<typeof EntryExplanation>
