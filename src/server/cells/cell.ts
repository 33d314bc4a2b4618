/** One database of the installation in this process. */
import type { Deps } from '../../platform/deps.ts'
import { fail, Unavailable } from '../../platform/errors.ts'
import type { Database } from '../database/database.ts'

export interface Cell {
  readonly name: string
  readonly deps: Deps
  readonly database: Database
  /** Whether this process serves the workspaces of the cell; see `serve --cells`. */
  readonly isServed: boolean
  /** Whether requests may use the cell: it is prepared and was reachable a second ago. */
  isUsable: boolean
}

/** Time after which a client repeats a request to a cell that is unreachable. */
const retryAfterSeconds = 2

/** Returns the dependencies of the cell. Throws 503 if this process does not serve it, or cannot reach it. */
export function useCell(cell: Cell): Deps {
  if (!cell.isServed)
    fail(Unavailable, `the workspace is in the cell ${cell.name}, which this process does not serve`, retry)
  if (!cell.isUsable) failUnreachable(cell.name)
  return cell.deps
}

export function failUnreachable(name: string): never {
  return fail(Unavailable, `the database of the cell ${name} is not reachable; try again shortly`, retry)
}

const retry = { headers: { 'retry-after': String(retryAfterSeconds) } }
