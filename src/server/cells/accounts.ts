/**
 * Keeps provider accounts unique in the installation. An account is reserved in the directory before it is connected in
 * its cell. A reservation of an account that is not connected, because the process died in between or the account
 * was disconnected later, is taken over by the next workspace that wants the account.
 */

import { toAccountKey } from '../../platform/cells.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { ProviderAccountKey } from '../../platform/deps.ts'
import { Problem, Unavailable } from '../../platform/errors.ts'
import { type Cell, failUnreachable } from './cell.ts'
import type { Directory } from './directory.ts'
import { withTimeout } from './search.ts'
import { deleteReservation, findReservation, isConnected, reserveRows } from './store.ts'

/** Longer than any connection takes: a younger reservation may be about to be used. */
const minAgeSeconds = 60
const timeoutMs = 5_000

export function createAccounts(cells: readonly Cell[], directory: Directory) {
  const home = cells[0]!

  /** Deletes the reservation of an account that its workspace does not have. */
  async function release(account: ProviderAccountKey): Promise<boolean> {
    const row = await findReservation(home.deps.db, account)
    if (!row) return true
    if (row.age < minAgeSeconds) return false
    const owner = await directory.of(row.tenantId)
    if (await isConnected(owner.db, row)) return false
    return deleteReservation(home.deps.db, row, minAgeSeconds)
  }

  async function reserve(
    tenantId: string,
    accounts: readonly ProviderAccountKey[],
  ): Promise<ProviderAccountKey[]> {
    if (accounts.length === 0) return []
    if (!home.isUsable) failUnreachable(home.name)
    const listTaken = async () => {
      const own = await withTimeout(reserveRows(home.deps.db, tenantId, accounts), timeoutMs)
      const keys = new Set(own.map(toAccountKey))
      return accounts.filter(account => !keys.has(toAccountKey(account)))
    }
    const others = await listTaken()
    const released = await Promise.all(others.map(release))
    const taken = released.includes(true) ? await listTaken() : others
    for (const account of accounts) directory.forget(toAccountKey(account))
    return taken
  }

  return (tenantId: string, accounts: readonly ProviderAccountKey[]): Promise<ProviderAccountKey[]> =>
    reserve(tenantId, accounts).catch(error => {
      if (isDatabaseUnavailable(error)) throw new Problem(Unavailable, { headers: { 'retry-after': '2' } })
      throw error
    })
}
