/**
 * Parts of the response with which a client starts. Each domain contributes what it owns; the console domain composes
 * them without importing the others.
 */
import type { Static, TSchema } from 'typebox'
import type { Deps } from '../deps.ts'
import type { Caller, Scope } from '../http/caller.ts'

export interface BootstrapPart {
  /** The name of the member. */
  name: string
  /** The part is left out for callers without this scope, which must be the one of the operation that reads the same. */
  scope: Scope
  schema: TSchema
  load: (deps: Deps, caller: Caller) => Promise<unknown>
}

export function bootstrapPart<const S extends TSchema>(part: {
  name: string
  scope: Scope
  schema: S
  /** Returns undefined to leave the part out. */
  load: (deps: Deps, caller: Caller) => Promise<Static<S> | undefined>
}): BootstrapPart {
  return part
}
