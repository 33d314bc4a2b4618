/**
 * The dependencies of handlers, jobs and subscriptions: one instance for each cell in a process. The cell owns `db`,
 * `clock`, `bus` and `caches`; the cells of a process share the rest. Domains add their own members by augmenting `Deps`
 * (`declare module '../platform/deps.ts'`), beside the function that creates the member.
 */

import type { Blobs } from './blobs/blobs.ts'
import type { Bus } from './bus/bus.ts'
import type { Caches } from './caches.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Keys } from './encryption/keys.ts'
import type { Logger } from './log.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface Deps {
  config: Config
  db: Db
  clock: Clock
  log: Logger
  keys: Keys
  bus: Bus
  outbound: Outbound
  blobs: Blobs
  caches: Caches
  /** The database that this value belongs to. */
  cell: { name: string }
  /** For the few operations that see the whole installation. */
  cells: Cells
  /** Undefined unless tracing is configured. */
  tracing?: Tracing | undefined
}

export interface ProviderAccountKey {
  channel: string
  externalId: string
}

/** The view of the installation, for the few operations that see more than one cell. */
export interface Cells {
  /** The cell with the directory. Also set in a process that does not serve it. */
  readonly home: Deps
  /** The cells that this process serves, in the order of the configuration. */
  readonly all: readonly Deps[]
  /** The number of cells of the installation. */
  readonly size: number
  /** Returns the cells of `all` that are reachable. Throws 503 if none is. */
  usable(): readonly Deps[]
  /** Whether this process serves all cells and reaches them. */
  readonly isComplete: boolean
  /** Throws 503 unless `isComplete`. */
  assertComplete(): void
  /** Returns the cell of a workspace. Throws 503 if it is unreachable or not served by this process. */
  of(tenantId: string): Deps | Promise<Deps>
  /**
   * Returns the cell of the workspace that a cell knows, and remembers the workspace under the key. Returns undefined if
   * no cell knows one; throws 503 if one that is unreachable may.
   */
  find(
    key: string,
    findTenant: (deps: Deps) => Promise<string | undefined>,
  ): Deps | undefined | Promise<Deps | undefined>
  /** Forgets where a workspace was, because its cell refused to write; the cell is known if it has moved there. */
  relocate(tenantId: string, cell: string | undefined): void
  /** Chooses the cell of a new workspace. */
  place(): Deps | Promise<Deps>
  /** Records where a new workspace lives. A lost record costs one search through the cells. */
  record(tenantId: string, deps: Deps): Promise<void>
  /**
   * Reserves provider accounts for a workspace before they are connected in its cell, because each account is connected
   * at most once in the installation. Returns the accounts that other workspaces have.
   */
  reserve(tenantId: string, accounts: readonly ProviderAccountKey[]): Promise<ProviderAccountKey[]>
}
