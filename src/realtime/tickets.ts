/** Tickets replace the caller's token for one minute and one use, so that URLs carry no lasting secret. */
import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { toTokenScope } from '../platform/http/locate.ts'
import { cron } from '../platform/jobs/cron.ts'
import { deleteExpiredTickets, insertTicket, redeemTicketRow } from './store.ts'

const ttlMs = 60_000
const purpose = 'realtime-tickets'
const hashTicket = (ticket: string): Buffer => createHash('sha256').update(ticket).digest()

export async function createTicket(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  token: string,
): Promise<{ ticket: string; expiresAt: string }> {
  const ticket = `rtt_${toTokenScope(tenantId)}_${randomBytes(24).toString('base64url')}`
  const expiresAt = new Date(Date.parse(tx.now) + ttlMs).toISOString()
  await insertTicket(tx, tenantId, {
    hash: hashTicket(ticket),
    token: deps.keys.encrypt(purpose, token),
    expiresAt,
  })
  return { ticket, expiresAt }
}

/** Returns the token of a ticket; undefined if the ticket is unknown, used or expired. */
export async function redeemTicket(deps: Deps, ticket: string): Promise<string | undefined> {
  const row = await redeemTicketRow(deps.db, hashTicket(ticket))
  if (!row || Date.parse(row.expiresAt) <= deps.clock.now().getTime()) return undefined
  return deps.keys.decrypt(purpose, row.token)
}

export const purgeTickets = cron({
  name: 'realtime.purge_tickets',
  schedule: '7 * * * *',
  handle: ({ db, clock }) => deleteExpiredTickets(db, clock.now().toISOString()),
})
