/**
 * A copy of unsaved changes in the browser's storage, written with every change: it survives a crash, a lost connection and
 * a closed tab. It contains the definition that the changes are based on, so that they can be merged later.
 */
import { getSignedIn } from '../../api/session.ts'
import type { Definition } from '../model/definition.ts'

export interface LocalCopy {
  revision: number
  base: Definition
  baseName: string
  definition: Definition
  name: string
  /** Time of the last change. */
  at: string
}

const toKey = (workflowId: string) => `parley.builder.${getSignedIn().me.id}.${workflowId}`

export function readCopy(workflowId: string): LocalCopy | undefined {
  try {
    return JSON.parse(localStorage.getItem(toKey(workflowId)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** A full storage loses the copy, not the changes: they are still saved at the service. */
export function writeCopy(workflowId: string, copy: LocalCopy): void {
  try {
    localStorage.setItem(toKey(workflowId), JSON.stringify(copy))
  } catch {
    localStorage.removeItem(toKey(workflowId))
  }
}

export function removeCopy(workflowId: string): void {
  localStorage.removeItem(toKey(workflowId))
}
