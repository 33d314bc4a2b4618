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

export interface LocalCopyStore {
  read(): LocalCopy | undefined
  /** A full storage loses the copy, not the changes: they are still saved at the service. */
  write(copy: LocalCopy): void
  remove(): void
}

/** The store belongs to the user who is signed in now, also when the session ends while the builder is open. */
export function openLocalCopy(workflowId: string): LocalCopyStore {
  const key = `parley.builder.${getSignedIn().me.id}.${workflowId}`
  const remove = () => localStorage.removeItem(key)
  return {
    read() {
      try {
        return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
      } catch {
        return undefined
      }
    },
    write(copy) {
      try {
        localStorage.setItem(key, JSON.stringify(copy))
      } catch {
        remove()
      }
    },
    remove,
  }
}
