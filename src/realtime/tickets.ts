/** Tickets stand for the caller's own token, for one minute and one use, so that no lasting secret is in a URL. */
import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { cron } from '../platform/jobs/cron.ts'
import { deleteOldTickets, insertTicket, takeTicket } from './store.ts'

const validMs = 60_000
const purpose = 'realtime-tickets'
const hashOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest()

export async function makeTicket(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  token: string,
): Promise<{ ticket: string; expiresAt: string }> {
  const ticket = `rtt_${randomBytes(24).toString('base64url')}`
  const expiresAt = new Date(Date.parse(tx.now) + validMs).toISOString()
  await insertTicket(tx, tenantId, {
    hash: hashOf(ticket),
    token: deps.keys.encrypt(purpose, token),
    expiresAt,
  })
  return { ticket, expiresAt }
}

/** The token behind it, or nothing when it is unknown, used or too old. */
export async function redeemTicket(deps: Deps, ticket: string): Promise<string | undefined> {
  const row = await takeTicket(deps.db, hashOf(ticket))
  if (!row || Date.parse(row.expiresAt) <= deps.clock.now().getTime()) return undefined
  return deps.keys.decrypt(purpose, row.token)
}

export const forgetTickets = cron({
  name: 'forget_realtime_tickets',
  schedule: '7 * * * *',
  handle: ({ db, clock }) => deleteOldTickets(db, clock.now().toISOString()),
})
