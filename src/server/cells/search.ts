/** Searches the cells of a process concurrently. */
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Cell, failUnreachable, useCell } from './cell.ts'

export type IsThere = (deps: Deps) => Promise<boolean>

/** Returns the cell in which the predicate holds. Throws 503 if it holds in none, and a cell was not asked. */
export async function searchCells(cells: readonly Cell[], isThere: IsThere): Promise<Cell | undefined> {
  let silent = cells.find(cell => !(cell.isServed && cell.isUsable))
  const asked = cells.filter(cell => cell.isServed && cell.isUsable)
  const searches = asked.map(async cell => {
    const isFound = await isThere(cell.deps).catch(error => {
      if (!isDatabaseUnavailable(error)) throw error
      silent ??= cell
      return false
    })
    return isFound ? cell : undefined
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
