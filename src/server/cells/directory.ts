/**
 * Finds the cell of workspaces. The home cell records each workspace; processes remember what they have read until
 * another process changes it. While the home cell is unreachable, or has no record, the cells are searched, so that the
 * directory is never the only copy of anything.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../platform/deps.ts'
import { type Cell, failUnreachable, useCell } from './cell.ts'
import { type FindTenant, searchCells, withTimeout } from './search.ts'
import { findWorkspaceCell, hasWorkspace, insertWorkspaces } from './store.ts'

const topic = 'cells.directory'
const maxRemembered = 100_000
/** Results of searches: an account may be connected in another cell later. */
const searchTtlMs = 60_000
const unknownTtlMs = 1_000
const homeTimeoutMs = 1_000

export function publishForgotten({ bus }: Pick<Deps, 'bus'>, key: string): void {
  bus.publish(topic, { key })
}

export class Directory {
  private readonly cells: readonly Cell[]
  private readonly home: Cell
  private readonly workspaces = new LRUCache<string, Cell>({ max: maxRemembered })
  /** Workspaces by the keys of `find`. */
  private readonly found = new LRUCache<string, string>({ max: maxRemembered, ttl: searchTtlMs })
  private readonly unknown = new LRUCache<string, true>({ max: 10_000, ttl: unknownTtlMs })
  private readonly inFlight = new Map<string, Promise<Deps>>()
  /** Stops following the changes of other processes. */
  readonly close: () => void

  constructor(cells: readonly Cell[]) {
    this.cells = cells
    this.home = cells[0]!
    this.close = this.home.deps.bus.subscribe<{ key: string }>(
      topic,
      ({ key }) => this.drop(key),
      () => {
        for (const cache of [this.workspaces, this.found, this.unknown]) cache.clear()
      },
    )
  }

  /** Returns the cell of a workspace; any cell for an unknown one, so that its tokens and ids are not found. */
  of(tenantId: string): Deps | Promise<Deps> {
    const known = this.workspaces.get(tenantId)
    if (known) return useCell(known)
    if (this.unknown.has(tenantId)) return this.getAny()
    const started =
      this.inFlight.get(tenantId) ?? this.locate(tenantId).finally(() => this.inFlight.delete(tenantId))
    this.inFlight.set(tenantId, started)
    return started
  }

  /** While a workspace moves, two cells know it: the record says which one has it. */
  find(key: string, findTenant: FindTenant): Deps | Promise<Deps | undefined> {
    const known = this.found.get(key)
    if (known !== undefined) return this.of(known)
    return searchCells(this.cells, findTenant).then(found => {
      if (!found) return undefined
      this.found.set(key, found.value)
      return this.of(found.value)
    })
  }

  /** Forgets a workspace in this process, or notes where it lives. */
  relocate(tenantId: string, name: string | undefined): void {
    this.drop(tenantId)
    const cell = this.cells.find(each => each.name === name)
    if (cell) this.workspaces.set(tenantId, cell)
  }

  async record(tenantId: string, deps: Deps): Promise<void> {
    const cell = this.cells.find(each => each.name === deps.cell.name)!
    this.workspaces.set(tenantId, cell)
    this.unknown.delete(tenantId)
    await this.write(tenantId, cell)
  }

  /** Makes all processes forget a workspace or a key of `find`. */
  forget(key: string): void {
    publishForgotten(this.home.deps, key)
  }

  private async locate(tenantId: string): Promise<Deps> {
    const recorded = await this.readRecord(tenantId)
    const cell = recorded ?? (await this.search(tenantId))
    if (!cell) {
      this.unknown.set(tenantId, true)
      return this.getAny()
    }
    this.workspaces.set(tenantId, cell)
    if (!recorded) await this.write(tenantId, cell)
    return useCell(cell)
  }

  private async search(tenantId: string): Promise<Cell | undefined> {
    const isThere = async ({ db }: Deps) => (await hasWorkspace(db, tenantId)) || undefined
    return (await searchCells(this.cells, isThere))?.cell
  }

  /** Reads the record in the home cell; undefined if there is none or the home cell does not answer. */
  private async readRecord(tenantId: string): Promise<Cell | undefined> {
    const { isUsable, deps } = this.home
    if (!isUsable) return undefined
    const name = await withTimeout(findWorkspaceCell(deps.db, tenantId), homeTimeoutMs).catch(error => {
      deps.log.warn({ err: error }, 'the directory did not answer; the cells are searched')
      return undefined
    })
    if (name === undefined) return undefined
    return this.cells.find(cell => cell.name === name) ?? failUnreachable(name)
  }

  private async write(tenantId: string, cell: Cell): Promise<void> {
    const { isUsable, deps } = this.home
    if (!isUsable) return
    await withTimeout(insertWorkspaces(deps.db, cell.name, [tenantId]), homeTimeoutMs).catch(error =>
      deps.log.warn({ err: error, tenantId }, 'the directory did not record a workspace'),
    )
  }

  private getAny(): Deps {
    return useCell(this.cells.find(cell => cell.isServed && cell.isUsable) ?? this.home)
  }

  private drop(key: string): void {
    this.workspaces.delete(key)
    this.found.delete(key)
    this.unknown.delete(key)
  }
}
