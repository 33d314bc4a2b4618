/** Tickets stand for the caller's own token, for one minute and one use, so that no lasting secret is in a URL. */
import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
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
  const ticket = `rtt_${randomBytes(24).toString('base64url')}`
  const expiresAt = new Date(Date.parse(tx.now) + ttlMs).toISOString()
  await insertTicket(tx, tenantId, {
    hash: hashTicket(ticket),
    token: deps.keys.encrypt(purpose, token),
    expiresAt,
  })
  return { ticket, expiresAt }
}

/** The token behind it, or nothing when it is unknown, used or too old. */
export async function redeemTicket(deps: Deps, ticket: string): Promise<string | undefined> {
  const row = await redeemTicketRow(deps.db, hashTicket(ticket))
  if (!row || Date.parse(row.expiresAt) <= deps.clock.now().getTime()) return undefined
  return deps.keys.decrypt(purpose, row.token)
}

export const purgeTickets = cron({
  name: 'forget_realtime_tickets',
  schedule: '7 * * * *',
  handle: ({ db, clock }) => deleteExpiredTickets(db, clock.now().toISOString()),
})
