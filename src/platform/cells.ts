/**
 * Cells: the databases of an installation. A workspace lives in one cell, with its jobs, events and log; nothing of a
 * workspace crosses cells. Each cell has its own `Deps`, so a domain sees one database.
 */
import type { Deps, ProviderAccountKey } from './deps.ts'

/** The name of the only cell of an installation without DATABASE_CELLS. */
export const onlyCellName = 'main'

/** The key of an account in `Cells.find`. */
export const toAccountKey = ({ channel, externalId }: ProviderAccountKey): string =>
  `account ${channel} ${externalId}`

type Parts = Omit<Deps, 'cell' | 'cells'>

/** Completes the dependencies of an installation with one database. */
export function inOneCell<P extends Parts>(parts: P): P & Deps {
  const deps = { ...parts, cell: { name: onlyCellName } } as P & Deps
  deps.cells = {
    home: deps,
    all: [deps],
    size: 1,
    usable: () => [deps],
    isComplete: true,
    assertComplete: () => {},
    of: () => deps,
    find: () => deps,
    relocate: () => {},
    place: () => deps,
    record: async () => {},
    reserve: async () => [],
  }
  return deps
}
