/**
 * What a kind of node is: where it may stand, its data, its outputs, what it refers to, and what it does. A node file
 * makes one of these; validation, the catalogue, the engine and the simulator know nodes only through it.
 */
import type { Static, TObject } from 'typebox'
import type { Message } from '../../conversations/schemas.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Violation } from '../../platform/errors.ts'
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

/** Something of the workspace that must exist when it is published. Paths are below the node's data. */
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
    | 'node'
    | 'url'
  /** For a template its name, for a url the whole of it. */
  id: string
  path: string
  /** Of a field. */
  fieldType?: 'text' | 'date'
  /** Of a template. */
  language?: string
  inboxId?: string
}

export interface Output {
  name: string
  summary: string
}

/** Why the node runs now. */
export type Input =
  /** The run came to the node. */
  | { type: 'arrived' }
  /** The customer wrote. Messages that came in a burst are handed over together, in order; `text` is all of them. */
  | { type: 'message'; messages: Message[]; text: string; replyId: string | null }
  /** The time of `wait.until` has come, and nothing else did before. */
  | { type: 'timeout' }
  /** The case with this index of `wait.cases` came true. */
  | { type: 'case'; index: number; event: RunEvent | null }
  /** The answer to `http`. */
  | { type: 'response'; result: HttpResult }
  /** What became of the message in `wait.delivery`. */
  | { type: 'delivery'; status: 'sent' | 'failed' | 'delivered' | 'read'; code: string | null }
  /** The run in `wait.run` has ended. */
  | { type: 'returned'; status: RunStatus }

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body: string | null
  timeoutMs: number
}

export type HttpResult =
  /** `body` is parsed when it is JSON, else text; cut at a limit. */
  | { type: 'answered'; status: number; headers: Record<string, string>; body: Json }
  | { type: 'timeout' }
  /** No answer: refused by the guard, not reachable, too large. */
  | { type: 'error'; code: string; message: string }

/** What a wait is for besides its time. */
export type WaitCase =
  /**
   * An event about the run's contact: one sent with POST /events, by its name, or one of the log (`contact.updated`,
   * `conversation.closed`, …; `message.received` is a customer's message). `key` must equal the event's key, and each
   * member of `match` the member of that name of the event's data, both as texts.
   */
  | { event: string; key?: string; match?: Record<string, string> }
  /** Looked at on arrival, and again whenever something happens to the contact. */
  | { filter: ContactFilter }
  | { expression: string }

/** At least one of its members is given. The first that happens wakes the node. */
export interface Wait {
  until?: Date
  /** The customer's next message: in the run's conversation, or in any of the contact's if it has none. */
  message?: true
  cases?: WaitCase[]
  /** Word of what became of this message. */
  delivery?: string
  /** The end of this run. */
  run?: string
}

export type Outcome = (
  | { to: string }
  /** The node runs again when one of these happens; `state` is what it is given then. */
  | { wait: Wait; state?: Json }
  /** Called after the commit, at least once; the node runs again with the answer. */
  | { http: HttpRequest; state?: Json }
  | { jump: string }
  /** The run ends here, for this reason: `end`, `goal`, `handed_off` … */
  | { end: string }
  /** The step cannot be done. The run stops and shows why; someone may retry it. */
  | { fail: { code: string; message: string } }
) & {
  /** What to show of this step to someone who looks at the run. */
  detail?: Record<string, Json>
}

export type RunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** What a run knows of itself. */
export interface RunInfo {
  id: string
  workflowKind: WorkflowKind
  workflowId: string
  versionId: string
  contactId: string
  /** A chatbot always has one; a journey when its trigger was about one. */
  conversationId: string | null
  /** How many events led to this run, each causing the next. */
  causationDepth: number
  startedAt: string
}

/** The event that started a run or ended a wait, as templates and expressions see it. */
export interface RunEvent {
  name: string
  key: string | null
  data: Record<string, Json>
}

export type SendResult = { messageId: string } | { refused: string; message: string }

/** What a step does to the world, in its transaction. In a simulation the same calls are only written down. */
export interface Effects {
  /**
   * To the contact: in the run's conversation, else where the inbox or the contact's latest conversation says. Refused
   * is what the gate knows will fail (`window_closed`, `opted_out`, `no_identity`, `inbox_not_found`, …); nothing is
   * stored then. `options` are answers to choose from, shown as the channel can show them.
   */
  send(message: {
    content: SendableContent
    inboxId?: string
    options?: readonly { id: string; title: string }[]
  }): Promise<SendResult>
  /** False when the tag does not exist any more. */
  addTag(tagId: string): Promise<boolean>
  removeTag(tagId: string): Promise<boolean>
  /** null clears. Gives why the value was refused, or nothing. */
  setField(fieldId: string, value: string | null): Promise<{ code: string; message: string } | undefined>
  setOptOut(channel: Channel, optedOut: boolean): Promise<void>
  /**
   * Of the run's conversation, else of the contact's latest. A strategy picks an enabled user of the team (or of the
   * conversation's team). Gives who has it now, or why nobody.
   */
  assign(
    to: { userId: string } | { teamId: string } | { strategy: 'roundRobin' | 'leastBusy'; teamId?: string },
  ): Promise<{ owner: { type: 'user' | 'team'; id: string } } | { refused: string }>
  /** Takes the conversation from the bot: to the team, the inbox's team, or nobody. */
  handOff(teamId?: string): Promise<void>
  closeConversation(): Promise<void>
  /** Only for those who look at the run. */
  note(text: string): Promise<void>
  /** About the run's contact, as POST /events would. */
  emitEvent(event: { name: string; key?: string; data?: Record<string, Json> }): Promise<void>
  /** Starts an active journey for the run's contact. Gives the run, or why there is none. */
  startJourney(
    journeyId: string,
    data?: Record<string, Json>,
  ): Promise<{ runId: string } | { refused: string }>
}

export interface Step<D = Record<string, unknown>> {
  readonly tx: Tx
  readonly tenantId: string
  /** The engine's clock; a simulation moves it. */
  readonly now: Date
  readonly nodeId: string
  readonly data: D
  readonly run: RunInfo
  readonly input: Input
  /** What the last outcome of this visit kept; undefined on arrival. */
  readonly state: Json | undefined
  /** How often the run has come to this node, this time included. */
  readonly visits: number
  readonly effects: Effects
  /** Whether an edge leaves by this output. */
  connected(output: string): boolean
  variable(name: string): Json | undefined
  setVariable(name: string, value: Json): void
  /** Fills `{{…}}` in every string of the value. */
  interpolate<T>(value: T): Promise<T>
  /** A CEL expression. Throws ExpressionError, which fails the step, when it cannot be evaluated. */
  evaluate(expression: string): Promise<Json>
  /** Whether the run's contact is one of these. */
  matches(filter: ContactFilter): Promise<boolean>
  /** The contact's value of a custom field. */
  field(fieldId: string): Promise<string | undefined>
}

export interface NodeType<S extends TObject = TObject> {
  type: string
  /** Where it may stand. */
  kinds: readonly WorkflowKind[]
  summary: string
  /** A paragraph or two of Markdown for those who draw workflows. */
  docs: string
  data: S
  /** Data without faults, for those who want to see one. */
  example: Static<S>
  /** The first is the one an edge without `sourceHandle` leaves by. */
  outputs: (data: Static<S>) => readonly Output[]
  /** It always waits for something outside the run: a loop through it is allowed. */
  waits?: boolean | ((data: Static<S>) => boolean)
  references?: (data: Static<S>) => readonly Reference[]
  /** Faults that neither the schema nor the references show, with paths below the node's data. */
  violations?: (data: Static<S>, definition: Definition) => readonly Violation[]
  run: (step: Step<Static<S>>) => Outcome | Promise<Outcome>
}

/** A kind, its types forgotten, as the table of all kinds holds it. */
export type AnyNodeType = NodeType

export function defineNode<S extends TObject>(kind: NodeType<S>): AnyNodeType {
  return kind as unknown as AnyNodeType
}
