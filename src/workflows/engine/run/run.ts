/** The run as the engine holds it: one row of workflow_runs. Only `run/` and `waits/` change it. */
import type { Viewer } from '../../../contacts/contact-views.ts'
import type { Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { EvaluationMode } from '../../expressions/evaluation.ts'
import type {
  Effects,
  Input,
  Json,
  RunEvent,
  RunInfo,
  RunStatus,
  WaitCase,
  WorkflowKind,
} from '../../nodes/node-type.ts'
import type { EntryMode } from '../../triggers/trigger-type.ts'

/** The account whose rights a run has. */
export interface Publisher {
  /** Runs are held until a user or key with the rights publishes or activates the workflow. */
  hasLostRights: boolean
  /** Set if the publisher is an agent. */
  viewer: Viewer | undefined
}

export interface WaitState {
  message?: true
  /** Id of the message that asked. */
  question?: string
  cases?: WaitCase[]
  /** Events and conditions that end the run. */
  exits?: WaitCase[]
  /** Id of a message whose delivery status is awaited. */
  delivery?: string
  /** Id of a run whose end is awaited. */
  run?: string
  /** An HTTP request is in flight. */
  http?: true
  /** The chatbot run has not started: it waits until the customer's burst of messages ends. */
  start?: true
  /** The run starts when no further event has replaced the one that triggered it until the deadline. */
  debounce?: true
  /** When the run entered the node, if it has waited there before. */
  enteredAt?: string
  /** Deadline of the wait. `wakeAt` is earlier while replies are buffered. */
  until?: string
}

/**
 * Why a run resumes. `continue`: execute the next node. `timer`: a deadline has passed. `recheck`: a condition may be true
 * now.
 */
export type ResumeReason = 'continue' | 'timer' | 'recheck' | Input

/** Payload of the job that resumes a run. */
export interface Resume {
  runId: string
  revision: number
  reason: ResumeReason
  /** Causation depth of the event that resumes the run. */
  causationDepth?: number
}

export interface HeldResume {
  reason: ResumeReason
  causationDepth?: number
}

export interface RunError {
  code: string
  message: string
  nodeId: string
}

export interface Run {
  tenantId: string
  id: string
  kind: WorkflowKind
  workflowId: string
  versionId: string
  contactId: string
  conversationId: string | null
  /** Session that a chatbot replies in. */
  sessionId: string | null
  /** Run that started this one and waits for its end. */
  parentRunId: string | null
  entryMode: EntryMode
  entryKey: string
  /** With entry mode `cooldown`: when the contact may enter again. */
  reenterAt: string | null
  causationDepth: number
  status: RunStatus
  nodeId: string
  /** State that the current node keeps between its waits. */
  state: Json | null
  variables: Record<string, Json>
  visits: Record<string, number>
  event: RunEvent
  /** Latest message of the customer. */
  message: Message | null
  steps: number
  /** Incremented whenever the run advances or ends; jobs for an earlier revision are ignored. */
  revision: number
  wait: WaitState | null
  waitingSince: string | null
  wakeAt: string | null
  /** Events about the contact may resume the run. */
  waitsForEvent: boolean
  bufferedReplies: Message[] | null
  bufferingSince: string | null
  /** Resumes that wait until the publisher of the version has its rights again. */
  heldResumes: HeldResume[] | null
  endReason: string | null
  error: RunError | null
  startedAt: string
  updatedAt: string
  endedAt: string | null
}

/** One entry of a run's log. */
export interface StepRow {
  tenantId: string
  runId: string
  n: number
  nodeId: string
  type: string
  at: string
  input: Json
  outcome: string
  output: string | null
  detail: Record<string, Json> | null
  /** How long the run stayed at the node that it leaves with the step; counted and not stored. */
  staySeconds?: number
}

export interface EngineContext {
  deps: Deps
  tx: Tx
  startJourney: StartJourney
  /** Where expensive evaluations run. Default: in a thread, or later if the workspace has several waiting. */
  evaluation?: EvaluationMode
  /** Publishers of the versions of the runs. */
  publishers?: ReadonlyMap<string, Publisher>
  /** Replaces the effects: a batch combines them, a simulation records them. */
  wrapEffects?: (live: EffectsOfRun, run: Run) => Effects
}

export interface EffectsOfRun {
  build(): Effects
  /** Must be called by an effect that does not use the built ones: values that the run has read may have changed. */
  invalidate(): void
}

/** Starts a journey for the contact of the calling run. */
export type StartJourney = (
  tx: Tx,
  caller: Run,
  journeyId: string,
  data?: Record<string, Json>,
) => ReturnType<Effects['startJourney']>

/** Name of the event of a chatbot run whose trigger does not match: it leaves the start node by `fallback`. */
export const fallbackEvent = 'fallback'

/** Members of a run that does not wait. */
export const notWaiting = {
  wait: null,
  waitingSince: null,
  wakeAt: null,
  waitsForEvent: false,
  bufferedReplies: null,
  bufferingSince: null,
  heldResumes: null,
} satisfies Partial<Run>

export function isInProgress({ status }: Pick<Run, 'status'>): boolean {
  return status === 'running' || status === 'waiting'
}

/** Returns the ordering key of the run's jobs: its contact, or the conversation of a chatbot. */
export function getOrderingKey(run: Pick<Run, 'kind' | 'contactId' | 'conversationId'>): string {
  return run.kind === 'chatbot' ? run.conversationId! : run.contactId
}

export function toRunInfo(run: Run): RunInfo {
  return {
    id: run.id,
    workflowKind: run.kind,
    workflowId: run.workflowId,
    versionId: run.versionId,
    contactId: run.contactId,
    conversationId: run.conversationId,
    causationDepth: run.causationDepth,
    startedAt: run.startedAt,
    isFallback: run.kind === 'chatbot' && run.event.name === fallbackEvent,
  }
}
