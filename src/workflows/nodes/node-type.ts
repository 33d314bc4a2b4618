/**
 * The interface of a node type: where it is allowed, its data, outputs, references and behaviour. Each node file defines
 * one; validation, catalogue, engine and simulation use nodes only through this interface.
 */
import type { Static, TObject } from 'typebox'
import type { Message } from '../../conversations/schemas.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Violation } from '../../platform/errors.ts'
import type { Place } from '../../platform/interpolation/placeholder-encoding.ts'
import type { ContactFilter } from '../../segments/filter/filter.ts'

export type WorkflowKind = 'journey' | 'chatbot'

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json }

export interface DefinitionNode {
  id: string
  type: string
  data: Record<string, unknown>
  position?: { x: number; y: number }
}

export interface DefinitionEdge {
  id: string
  source: string
  target: string
  sourceHandle?: string | null
}

export interface Definition {
  nodes: DefinitionNode[]
  edges: DefinitionEdge[]
}

/** A resource that must exist when the workflow is published. */
export interface Reference {
  kind:
    | 'tag'
    | 'field'
    | 'segment'
    | 'inbox'
    | 'user'
    | 'team'
    | 'journey'
    | 'chatbot'
    | 'campaign'
    | 'media'
    | 'template'
    | 'flow'
    | 'node'
    | 'url'
    | 'secret'
  /** The name of a template or secret, the provider's id of a flow, the URL of a url, the id of any other resource. */
  id: string
  /** Relative to the node's data. */
  path: string
  /** Required type of a field. */
  fieldType?: 'text' | 'date'
  /** Language of a template. */
  language?: string
  inboxId?: string
}

/** A reference with the data that contains it: of a node or a trigger. */
export interface LocatedReference {
  reference: Reference
  /** The path of the data. */
  at: string
  data: Record<string, unknown>
}

export interface Output {
  name: string
  summary: string
}

/** Why a node runs. */
export type Input =
  | { type: 'arrived' }
  /** The customer replied. Messages sent in quick succession are delivered together; `text` joins them. */
  | { type: 'message'; messages: Message[]; text: string; replyId: string | null }
  /** `wait.until` has passed without another input. */
  | { type: 'timeout' }
  /** The case of `wait.cases` with this index became true. */
  | { type: 'case'; index: number; event: RunEvent | null }
  /** The entry of `exitWhen` with this index became true: the run ends. Nodes do not receive it. */
  | { type: 'exit'; index: number; event: RunEvent | null }
  | { type: 'response'; result: HttpResult }
  /** The status of the message in `wait.delivery`. */
  | { type: 'delivery'; status: 'sent' | 'failed' | 'delivered' | 'read'; code: string | null }
  /** The run in `wait.run` has ended. */
  | { type: 'returned'; status: RunStatus }

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body: string | null
  timeoutMs: number
  /** Names of secrets by the tokens that stand for them in `url` and `headers`. */
  secrets?: Record<string, string>
}

export type HttpResult =
  /** `body` is parsed JSON, or text. */
  | { type: 'answered'; status: number; headers: Record<string, string>; body: Json }
  | { type: 'timeout' }
  /** No response: rejected by the outbound policy, unreachable, or too large. */
  | { type: 'error'; code: string; message: string }

export type WaitCase =
  /**
   * An event about the run's contact: a custom event by its name, or an event of the log (`contact.updated`,
   * `conversation.closed`, …; `message.received` is a customer's message). `key` must equal the event's key, and each
   * property of `match` the property of the event's data with that name, compared as texts.
   */
  | { event: string; key?: string; match?: Record<string, string> }
  /** Evaluated on arrival and after every event about the contact. */
  | { filter: ContactFilter }
  | { expression: string }

/** At least one member is set. The first that occurs resumes the node. */
export interface Wait {
  until?: Date
  /** The customer's next message: in the run's conversation, or in any of the contact's if it has none. */
  message?: true
  /** Id of the message that asks the question which the customer's message answers. */
  question?: string
  cases?: WaitCase[]
  /** A status change of the message with this id. */
  delivery?: string
  /** The end of the run with this id. */
  run?: string
}

export type Outcome = (
  | { to: string }
  /** The node runs again when the wait ends, and receives `state`. */
  | { wait: Wait; state?: Json }
  /** Sent after the commit, at least once; the node runs again with the response. */
  | { http: HttpRequest; state?: Json }
  | { jump: string }
  /** Ends the run with this reason: `end`, `goal`, `handed_off` … */
  | { end: string }
  /** Fails the run with this error; it can be retried. */
  | { fail: { code: string; message: string } }
) & {
  /** Stored with the step for users who inspect the run. */
  detail?: Record<string, Json>
}

export type RunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** The properties of a run that nodes can read. */
export interface RunInfo {
  id: string
  workflowKind: WorkflowKind
  workflowId: string
  versionId: string
  contactId: string
  /** Always set for a chatbot; set for a journey if its trigger concerns a conversation. */
  conversationId: string | null
  /** Number of runs that led to this run, each causing the next. */
  causationDepth: number
  startedAt: string
  /** The message that started the chatbot run does not match its trigger. */
  isFallback: boolean
}

/** A CEL expression with its path. The result of a condition is true or false. */
export interface LocatedExpression {
  path: string
  expression: string
  isCondition: boolean
}

/** A text for a custom field, which may contain placeholders. */
export interface FieldValue {
  path: string
  fieldId: string
  value: string
}

/** The event that started a run or ended a wait, as templates and expressions read it. */
export interface RunEvent {
  name: string
  key: string | null
  data: Record<string, Json>
}

export type SendResult = { messageId: string } | { refused: string; message: string }

/** The changes a node can make, in the transaction of its step. A simulation records the same calls. */
export interface Effects {
  /**
   * Sends a message to the contact: in the run's conversation, or on the inbox, or in the contact's latest conversation.
   * Returns `refused` for a message that the send policy rejects (`window_closed`, `opted_out`, `no_identity`,
   * `inbox_not_found`, …); nothing is stored then. `options` are rendered as the channel supports them.
   */
  send(message: {
    content: SendableContent
    inboxId?: string
    options?: readonly { id: string; title: string }[]
  }): Promise<SendResult>
  /** Returns false if the tag was deleted. */
  addTag(tagId: string): Promise<boolean>
  removeTag(tagId: string): Promise<boolean>
  /** Clears the field if the value is null. Returns why the value was rejected, if it was. */
  setField(fieldId: string, value: string | null): Promise<{ code: string; message: string } | undefined>
  setOptOut(channel: Channel, optedOut: boolean): Promise<void>
  /**
   * Assigns the run's conversation, or the contact's latest. A strategy picks an enabled user of the team (default: the
   * conversation's team). Returns the new owner, or why there is none.
   */
  assign(
    to: { userId: string } | { teamId: string } | { strategy: 'roundRobin' | 'leastBusy'; teamId?: string },
  ): Promise<{ owner: { type: 'user' | 'team'; id: string } } | { refused: string }>
  /** Takes the conversation from the bot: assigns the team or the inbox's team, or leaves it unassigned. */
  handOff(teamId?: string): Promise<void>
  closeConversation(): Promise<void>
  /** Adds a note for users who inspect the run. */
  note(text: string): Promise<void>
  /** Emits a custom event about the run's contact, like POST /events. */
  emitEvent(event: { name: string; key?: string; data?: Record<string, Json> }): Promise<void>
  /** Starts an active journey for the run's contact. Returns the run, or why there is none. */
  startJourney(
    journeyId: string,
    data?: Record<string, Json>,
  ): Promise<{ runId: string } | { refused: string }>
}

export interface InterpolateOptions {
  /** Where the text is used; values are encoded for it. Default: values are inserted unchanged. */
  place?: Place
  /** Tokens of secrets by name. */
  secrets?: Readonly<Record<string, string>>
}

export interface Step<D = Record<string, unknown>> {
  readonly tx: Tx
  readonly tenantId: string
  /** The engine's time; a simulation advances it. */
  readonly now: Date
  readonly nodeId: string
  readonly data: D
  readonly run: RunInfo
  readonly input: Input
  /** State of the previous outcome of this visit; undefined on arrival. */
  readonly state: Json | undefined
  /** How often the run has reached this node, including this visit. */
  readonly visits: number
  readonly effects: Effects
  /** Returns whether an edge leaves by this output. */
  connected(output: string): boolean
  variable(name: string): Json | undefined
  setVariable(name: string, value: Json): void
  /** Fills `{{…}}` in every string of the value. */
  interpolate<T>(value: T, options?: InterpolateOptions): Promise<T>
  /** Evaluates a CEL expression. Throws ExpressionError, which fails the step, if it cannot be evaluated. */
  evaluate(expression: string): Promise<Json>
  /** Returns whether the pattern matches anywhere in the text. */
  matchesPattern(pattern: string, text: string): Promise<boolean>
  matches(filter: ContactFilter): Promise<boolean>
  field(fieldId: string): Promise<string | undefined>
}

export interface NodeType<S extends TObject = TObject> {
  type: string
  /** Kinds of workflow that may contain the node. */
  kinds: readonly WorkflowKind[]
  summary: string
  /** One or two paragraphs of Markdown for authors of workflows. */
  docs: string
  data: S
  /** Valid data. */
  example: Static<S>
  /** An edge without `sourceHandle` leaves by the first output. */
  outputs: (data: Static<S>) => readonly Output[]
  /** Outputs by which a run leaves if its message does not reach the contact. */
  undelivered?: readonly string[]
  /** The node always waits for an external input: a loop through it is allowed. */
  waits?: boolean | ((data: Static<S>) => boolean)
  references?: (data: Static<S>) => readonly Reference[]
  /** CEL expressions of the data; paths are relative to it. */
  expressions?: (data: Static<S>) => readonly LocatedExpression[]
  /** Values for custom fields of the contact; paths are relative to the data. */
  fieldValues?: (data: Static<S>) => readonly FieldValue[]
  /** Names of the variables that the node sets. */
  sets?: (data: Static<S>) => readonly string[]
  /** Violations that schema and references do not cover; paths are relative to the node's data. */
  violations?: (data: Static<S>, definition: Definition) => readonly Violation[]
  run: (step: Step<Static<S>>) => Outcome | Promise<Outcome>
}

export type AnyNodeType = NodeType

export const next: Output = { name: 'next', summary: 'Done' }

type NodeDefinition<S extends TObject> = Omit<NodeType<S>, 'kinds' | 'outputs'> &
  Partial<Pick<NodeType<S>, 'kinds' | 'outputs'>>

/** By default a node may be in both kinds of workflow and has the output `next`. */
export function defineNode<S extends TObject>(definition: NodeDefinition<S>): AnyNodeType {
  return { kinds: ['journey', 'chatbot'], outputs: () => [next], ...definition } as unknown as AnyNodeType
}
