/** A run as the engine holds it: the row of workflow_runs. Only `advance` and those who wake change it. */
import type { Message } from '../../../conversations/schemas.ts'
import type { Json, RunEvent, RunInfo, RunStatus, WaitCase, WorkflowKind } from '../../nodes/node-type.ts'
import type { EntryMode } from '../../triggers/trigger-type.ts'

/** What wakes a run besides the time. */
export interface WaitState {
  message?: true
  cases?: WaitCase[]
  delivery?: string
  run?: string
  /** An HTTP call is under way. */
  http?: true
  /** The chatbot has not begun: it lets the customer finish first. */
  start?: true
  /** The time of the wait itself; that of a burst of messages may come before. */
  until?: string
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
  sessionId: string | null
  parentRunId: string | null
  entryMode: EntryMode
  entryKey: string
  causationDepth: number
  status: RunStatus
  nodeId: string
  state: Json | null
  variables: Record<string, Json>
  visits: Record<string, number>
  event: RunEvent
  message: Message | null
  steps: number
  turn: number
  wait: WaitState | null
  waitingSince: string | null
  wakeAt: string | null
  listens: boolean
  heard: Message[] | null
  heardSince: string | null
  endReason: string | null
  error: RunError | null
  startedAt: string
  updatedAt: string
  endedAt: string | null
}

/** A line of a run's log. */
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
}

export function isInProgress({ status }: Pick<Run, 'status'>): boolean {
  return status === 'running' || status === 'waiting'
}

/** Runs of one contact, and those of one conversation's bot, go one after the other. */
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
  }
}
