/** Searches the cells of a process concurrently. */
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Cell, failUnreachable, useCell } from './cell.ts'

export type FindTenant = (deps: Deps) => Promise<string | undefined>

/** Returns the first cell with a result. Throws 503 if none has one, and a cell was not asked. */
export async function searchCells<T>(
  cells: readonly Cell[],
  find: (deps: Deps) => Promise<T | undefined>,
): Promise<{ cell: Cell; value: T } | undefined> {
  let silent = cells.find(cell => !(cell.isServed && cell.isUsable))
  const asked = cells.filter(cell => cell.isServed && cell.isUsable)
  const searches = asked.map(async cell => {
    const value = await find(cell.deps).catch(error => {
      if (!isDatabaseUnavailable(error)) throw error
      silent ??= cell
      return undefined
    })
    return value === undefined ? undefined : { cell, value }
  })
  const found = await firstDefined(searches)
  if (found) return found
  if (silent) {
    useCell(silent)
    failUnreachable(silent.name)
  }
  return undefined
}

/** Resolves with the first value that is defined, without waiting for the others. */
function firstDefined<T>(values: readonly Promise<T | undefined>[]): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const all = values.map(value =>
      value.then(result => {
        if (result !== undefined) resolve(result)
      }),
    )
    Promise.all(all).then(() => resolve(undefined), reject)
  })
}

export class NoAnswer extends Error {}

/** Rejects with NoAnswer when the work takes longer. */
export function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer(`no answer within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
