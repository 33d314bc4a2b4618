import Type, { type Static } from 'typebox'
import { NewContact } from '../../contacts/schemas.ts'
import { channels } from '../../platform/config.ts'
import { AnyId, literals, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import { EventData, PathStep, runStatuses, WaitingFor } from '../runs/run-schemas.ts'

const Anything = Type.Record(Type.String(), Type.Unknown())
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength: maxLength })

const SimulatedEvent = object({
  name: Text(100),
  key: Type.Optional(Text(200)),
  data: Type.Optional(EventData),
})

const facts = {
  tagIds: Type.Optional(Type.Array(AnyId, { maxItems: 100, description: 'tags that the contact has' })),
  customFields: Type.Optional({
    ...NewContact.properties.customFields,
    description: 'values of the contact, also of an existing one',
  }),
  optOuts: Type.Optional(Type.Array(literals(channels), { uniqueItems: true })),
}

const SimulatedInput = object(
  {
    afterSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 315_360_000,
        description: 'after the previous input; default 5, so that each is a reply of its own',
      }),
    ),
    message: Type.Optional(Text(4_096)),
    replyId: Type.Optional(Text(256)),
    media: Type.Optional(
      Type.Boolean({ description: 'the message is a file with `message` as its caption' }),
    ),
    event: Type.Optional(SimulatedEvent),
    ...facts,
  },
  {
    description:
      'An input while the run waits: a message of the customer, a file, a pressed button, an event, or a change of the contact',
  },
)
export type SimulationInput = Static<typeof SimulatedInput>

const SimulatedAnswer = object({
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: 'Default 200' })),
  body: Type.Optional(Type.Unknown()),
  timeout: Type.Optional(Type.Boolean({ description: 'no response in time' })),
  error: Type.Optional({ ...Text(100), description: 'code of an error, such as connection_refused' }),
})

const SimulatedDelivery = object({
  failed: { ...Text(100), description: 'code of the delivery error, such as recipient_unreachable' },
})

export const SimulationRequest = object({
  version: Type.Optional(literals(['draft', 'published'], { description: 'Default draft' })),
  contactId: Type.Optional(AnyId),
  contact: Type.Optional({ ...NewContact, description: 'a temporary contact, instead of contactId' }),
  ...facts,
  window: Type.Optional(
    literals(['real', 'open', 'closed'], {
      description:
        'the messaging window: as the provider applies it (default), always open, or closed until the customer writes',
    }),
  ),
  deliveries: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), SimulatedDelivery, {
      maxProperties: 500,
      description: 'failed deliveries by node id; default: delivered',
    }),
  ),
  startsAt: Type.Optional({
    ...Timestamp,
    description: 'the time at which the simulated clock starts; default: now',
  }),
  startNodeId: Type.Optional({
    ...AnyId,
    description: 'starts the run at this node, whatever the trigger is; default: the start node',
  }),
  variables: Type.Optional({ ...EventData, description: 'variables that the run has at its start' }),
  until: Type.Optional(
    literals(['end', 'inputs'], {
      description:
        'end (default): time passes until the run ends; inputs: the simulation ends when the inputs are used up and the run waits',
    }),
  ),
  event: Type.Optional(SimulatedEvent),
  message: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4_096, description: 'the first message of the customer' }),
  ),
  inputs: Type.Optional(Type.Array(SimulatedInput, { maxItems: 100 })),
  http: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), SimulatedAnswer, {
      maxProperties: 500,
      description: 'HTTP responses by node id; default: 200 with {}',
    }),
  ),
})
export type SimulationRequest = Static<typeof SimulationRequest>

export const Simulation = named(
  'Simulation',
  object({
    entered: Type.Boolean({
      description: 'false: the trigger or its conditions do not match, and nothing ran',
    }),
    status: literals(runStatuses),
    endReason: nullable(
      Type.String({ description: 'without an entry: trigger_not_matched or conditions_not_met' }),
    ),
    error: nullable(object({ code: Type.String(), message: Type.String(), nodeId: AnyId })),
    nodeId: AnyId,
    waitingFor: nullable(WaitingFor),
    startedAt: Timestamp,
    endedAt: Timestamp,
    variables: Anything,
    path: Type.Array(PathStep),
    effects: Type.Array(
      object({
        at: Timestamp,
        nodeId: AnyId,
        effect: Type.String(),
        input: Type.Array(Type.Unknown()),
        result: Type.Unknown(),
      }),
      { description: 'the effects that the steps would have had' },
    ),
  }),
)
export type Simulation = Static<typeof Simulation>

export const maxCases = 50

const { version: _, ...caseRequest } = SimulationRequest.properties

/** A simulation of the draft with the result that its author expects. */
export const WorkflowCase = named(
  'WorkflowCase',
  object({
    id: Text(100),
    name: Text(100),
    request: object(caseRequest),
    expected: object({
      entered: Type.Boolean(),
      endReason: nullable(Type.String({ maxLength: 100 })),
      path: Type.Array(object({ nodeId: Text(100), output: nullable(Type.String({ maxLength: 200 })) }), {
        maxItems: 1_000,
      }),
      effects: Type.Array(object({ nodeId: Text(100), effect: Text(100) }), { maxItems: 1_000 }),
    }),
  }),
)
export type WorkflowCase = Static<typeof WorkflowCase>
