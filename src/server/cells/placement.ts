/** Chooses the cell of a new workspace: of the open cells, the one with the smallest database. */
import type { Deps } from '../../platform/deps.ts'
import { fail, Unavailable } from '../../platform/errors.ts'
import type { Cell } from './cell.ts'
import { withTimeout } from './search.ts'
import { getBytes, listCells } from './store.ts'

const ttlMs = 60_000
const timeoutMs = 2_000

export function createPlacement(cells: readonly Cell[]): () => Promise<Deps> {
  const home = cells[0]!
  let closed = new Set<string>()
  const sizes = new Map<string, number>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    if (home.isUsable)
      await withTimeout(listCells(home.deps.db), timeoutMs).then(
        rows => {
          closed = new Set(rows.filter(row => row.closed).map(row => row.name))
        },
        error => home.deps.log.warn({ err: error }, 'the list of closed cells was not read'),
      )
    await Promise.all(
      candidates().map(async cell => {
        const bytes = await withTimeout(getBytes(cell.deps.db), timeoutMs).catch(() => undefined)
        if (bytes !== undefined) sizes.set(cell.name, bytes)
      }),
    )
    readAt = performance.now()
  }

  const candidates = () => cells.filter(cell => cell.isServed && cell.isUsable && !closed.has(cell.name))

  return async () => {
    if (performance.now() - readAt > ttlMs) {
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    }
    const known = candidates().filter(cell => sizes.has(cell.name))
    if (known.length === 0) fail(Unavailable, 'no cell is open for new workspaces')
    return known.reduce((best, cell) => (sizes.get(cell.name)! < sizes.get(best.name)! ? cell : best)).deps
  }
}
