import Type, { type Static } from 'typebox'
import { AnyId, literals, Name, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'
import { edgeDisplayProperties, nodeDisplayProperties } from './definition/react-flow.ts'
import { Cooldown } from './nodes/node-fields.ts'
import { entryModes } from './triggers/trigger-type.ts'

export const JourneyId = idType('jrn')
export const JourneyVersionId = idType('jrv')
export const ChatbotId = idType('bot')
export const ChatbotVersionId = idType('btv')
export const RunId = idType('run')

export const workflowStatuses = ['draft', 'active', 'paused'] as const

export const maxNodes = 500
export const maxEdges = 2_000

const Key = Type.String({ minLength: 1, maxLength: 100 })

export const TriggerConfig = named(
  'TriggerConfig',
  Type.Object(
    {
      type: Key,
      conditions: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: '`{}`, or a ContactFilter' }),
      ),
    },
    {
      additionalProperties: true,
      description: 'The trigger; further properties depend on its type, see GET /workflow-nodes',
    },
  ),
)
export type TriggerConfig = Static<typeof TriggerConfig> & Record<string, unknown>

export const WorkflowNode = named(
  'WorkflowNode',
  object({
    id: Key,
    type: Key,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Depends on the type, see GET /workflow-nodes',
    }),
    position: Type.Optional(object({ x: Type.Number(), y: Type.Number() })),
    ...nodeDisplayProperties,
  }),
)
export type WorkflowNode = Static<typeof WorkflowNode>

export const WorkflowEdge = named(
  'WorkflowEdge',
  object({
    id: Key,
    source: Key,
    target: Key,
    sourceHandle: Type.Optional(
      nullable(Type.String({ maxLength: 200, description: 'The output; default: the first' })),
    ),
    targetHandle: Type.Optional(
      nullable(Type.String({ maxLength: 200, description: 'Stored, without effect' })),
    ),
    ...edgeDisplayProperties,
  }),
)
export type WorkflowEdge = Static<typeof WorkflowEdge>

const Viewport = Type.Optional(
  object(
    { x: Type.Number(), y: Type.Number(), zoom: Type.Number() },
    { description: "React Flow's; stored, without effect" },
  ),
)

export const WorkflowDefinition = named(
  'WorkflowDefinition',
  object({
    nodes: Type.Array(WorkflowNode, { maxItems: maxNodes }),
    edges: Type.Array(WorkflowEdge, { maxItems: maxEdges }),
    viewport: Viewport,
  }),
)
export type WorkflowDefinition = Static<typeof WorkflowDefinition>

/** A definition as an editor sends it; edges without an id are given one. */
export const DefinitionInput = named(
  'WorkflowDefinitionInput',
  object({
    ...WorkflowDefinition.properties,
    edges: Type.Array(object({ ...WorkflowEdge.properties, id: Type.Optional(Key) }), { maxItems: maxEdges }),
  }),
)
export type DefinitionInput = Static<typeof DefinitionInput>

const PauseReason = named(
  'WorkflowPauseReason',
  object(
    {
      code: Type.Literal('publisher_rights_lost'),
      message: Type.String(),
      missing: Type.Array(Type.String(), {
        description: 'Scopes, `role:admin`, or `account:active` if the publisher was disabled or deleted',
      }),
    },
    { description: 'Extension: set if the service paused the workflow' },
  ),
)

/** The part of a workflow that events report. */
export const WorkflowStatus = named(
  'WorkflowStatus',
  object({
    id: AnyId,
    name: Type.String(),
    status: literals(workflowStatuses),
    pauseReason: Type.Optional(PauseReason),
    revision: Type.Integer(),
  }),
)
export type WorkflowStatus = Static<typeof WorkflowStatus>

const workflowProperties = {
  id: AnyId,
  name: Type.String(),
  status: literals(workflowStatuses),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  pauseReason: Type.Optional(PauseReason),
  publishedVersionId: nullable(AnyId),
  revision: Type.Integer({ description: 'Extension: incremented by every change; the ETag' }),
  updatedBy: {
    ...nullable(AnyId),
    description: 'Extension: the user or service account that last changed the draft; null: unknown',
  },
  /** Only in the response to a request for one workflow. */
  missing: Type.Optional(
    Type.Array(object({ field: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'References of the published version, or of the draft if there is none, that were deleted',
    }),
  ),
}

const versionProperties = {
  id: AnyId,
  definition: WorkflowDefinition,
  createdAt: Timestamp,
  publishedBy: { ...AnyId, description: 'Extension: the user or service account that published it' },
  note: { ...nullable(Type.String()), description: 'Extension: what its publisher wrote about it' },
  /** Only in the response to publishing. */
  warnings: Type.Optional(
    Type.Array(object({ field: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'Extension: what may not work as intended, with paths into the definition',
    }),
  ),
  revision: Type.Optional(
    Type.Integer({
      description: 'Extension, only when published: the revision of the workflow, to be sent as `If-Match`',
    }),
  ),
}

export const PublishRequest = object({
  note: Type.Optional(
    Type.String({ maxLength: 500, description: 'Extension: what has changed; shown with the version' }),
  ),
})
export type PublishRequest = Static<typeof PublishRequest>

const Violations = Type.Array(object({ field: Type.String(), code: Type.String(), message: Type.String() }))

export const WorkflowValidation = named(
  'WorkflowValidation',
  object({
    violations: { ...Violations, description: 'empty: you could publish it; at most 50' },
    warnings: { ...Violations, description: 'what may not work as intended, once there are no violations' },
  }),
)
export type WorkflowValidation = Static<typeof WorkflowValidation>

/** Only in lists. */
const listedProperties = {
  version: {
    ...nullable(Type.Integer()),
    description: 'Extension: the number of the published version, counted from 1; null: not published',
  },
  counts: object(
    {
      entered: Type.Integer({ description: 'runs since the first' }),
      waiting: Type.Integer({ description: 'in progress now' }),
    },
    { description: 'Extension' },
  ),
}

export const Journey = named(
  'Journey',
  object({
    ...workflowProperties,
    tenantId: AnyId,
    entryMode: literals(entryModes),
    cooldown: Type.Optional(Cooldown),
    triggerConfig: nullable(TriggerConfig),
    definition: WorkflowDefinition,
  }),
)
export type Journey = Static<typeof Journey>

export const ListedJourney = named('ListedJourney', object({ ...Journey.properties, ...listedProperties }))

/** The draft of a journey in a request. */
export const JourneyDraft = object({
  definition: Type.Optional(DefinitionInput),
  triggerConfig: Type.Optional(TriggerConfig),
  entryMode: Type.Optional(literals(entryModes)),
  cooldown: Type.Optional(Cooldown),
})
export type JourneyDraft = Static<typeof JourneyDraft>

export const NewJourney = object({ name: Name, ...JourneyDraft.properties })
export type NewJourney = Static<typeof NewJourney>

export const ExpectedRevision = Type.Optional(
  Type.Integer({ description: 'Extension: 412 unless it is the current revision, like `If-Match`' }),
)

export const JourneyPatch = object({
  ...NewJourney.properties,
  name: Type.Optional(Name),
  revision: ExpectedRevision,
})
export type JourneyPatch = Static<typeof JourneyPatch>

export const JourneyVersion = named(
  'JourneyVersion',
  object({
    ...versionProperties,
    journeyId: AnyId,
    triggerConfig: TriggerConfig,
    entryMode: literals(entryModes),
  }),
)
export type JourneyVersion = Static<typeof JourneyVersion>

export const Chatbot = named(
  'Chatbot',
  object({
    ...workflowProperties,
    teamIds: Type.Array(AnyId),
    position: Type.Integer({ description: 'Bots with a lower position are tried first' }),
    draft: WorkflowDefinition,
  }),
)
export type Chatbot = Static<typeof Chatbot>

export const ListedChatbot = named('ListedChatbot', object({ ...Chatbot.properties, ...listedProperties }))

const TeamIds = Type.Array(AnyId, {
  maxItems: 200,
  uniqueItems: true,
  description: 'Empty: all teams, after the bots of the team itself, and conversations without a team',
})

/** The draft of a chatbot in a request. */
export const ChatbotDraft = object({ draft: Type.Optional(DefinitionInput) })
export type ChatbotDraft = Static<typeof ChatbotDraft>

export const NewChatbot = object({
  name: Name,
  teamIds: Type.Optional(TeamIds),
  ...ChatbotDraft.properties,
})
export type NewChatbot = Static<typeof NewChatbot>

export const ChatbotPatch = object({
  ...NewChatbot.properties,
  name: Type.Optional(Name),
  revision: ExpectedRevision,
})
export type ChatbotPatch = Static<typeof ChatbotPatch>

export const ChatbotVersion = named(
  'ChatbotVersion',
  object({ ...versionProperties, chatbotId: AnyId, updatedAt: Timestamp }),
)
export type ChatbotVersion = Static<typeof ChatbotVersion>
