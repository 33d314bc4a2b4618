/** Asks the service for the problems of the definition on the screen, a moment after the last change. */
import { createStore, type Store } from '../../app/store.ts'
import { groupByNode, type Problem, toProblems } from '../model/problems.ts'
import type { Editor } from './editor.ts'
import { validateWorkflow } from './workflow-api.ts'

export interface Problems {
  all: readonly Problem[]
  byNode: ReadonlyMap<string, readonly Problem[]>
  /** Whether they are those of the definition on the screen. */
  isCurrent: boolean
}

export interface Validator {
  problems: Store<Problems>
  /** Validates now; returns the problems of the definition on the screen. */
  check: () => Promise<readonly Problem[]>
  stop: () => void
}

const delayMs = 400

export function startValidator({ kind, workflowId, history, get }: Editor): Validator {
  const problems = createStore<Problems>({ all: [], byNode: new Map(), isCurrent: false })
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const check = async () => {
    clearTimeout(timer)
    const definition = get()
    const all = toProblems(await validateWorkflow(kind, workflowId, definition), definition)
    // A response to an earlier definition is dropped.
    if (!isStopped && definition === get()) problems.set({ all, byNode: groupByNode(all), isCurrent: true })
    return all
  }
  const schedule = (wait: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => check().catch(() => {}), wait)
  }
  const stop = history.subscribe(() => {
    problems.update(before => ({ ...before, isCurrent: false }))
    schedule(delayMs)
  })
  schedule(0)
  return {
    problems,
    check,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      stop()
    },
  }
}
