/**
 * Visitors of websites who opened the web chat. A visitor has a random token of which only the hash is stored; it is valid
 * for 30 days after its last use, and no longer than its inbox exists. Anonymous visitors are known by their id, verified
 * ones by the id that their site signed.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { recordUses } from '../../platform/db/last-uses.ts'
import type { Cells, Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { AuthenticateVisitor, Visitor } from '../../platform/http/caller.ts'
import { locateToken, toTokenScope } from '../../platform/http/locate.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { VisitorVerified } from '../errors.ts'
import { VisitorId, type VisitorPatch, type WidgetVisitor } from '../schemas.ts'
import {
  deleteExpiredVisitors,
  findLatestVisitor,
  findVisitorByToken,
  insertVisitor,
  updateLastSeen,
  updateVisitor,
  type VisitorRow,
} from '../store/visitors.ts'

declare module '../../platform/http/caller.ts' {
  interface Visitor extends Omit<VisitorRow, 'tenantId' | 'id'> {}
}

export { findVisitor } from '../store/visitors.ts'

const ttlMs = 30 * 24 * 3_600_000
/** How often the use of a token is recorded: agents see when the visitor was there. */
const extendMs = 60_000

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const recordSeen = recordUses(extendMs, (db, uses) => updateLastSeen(db, uses, ttlMs))

export function createVisitorAuthenticator({ cells }: Pick<Deps, 'cells'>): AuthenticateVisitor {
  return async token => {
    if (!isVisitorToken(token)) return undefined
    return findVisitorOfToken(await locateVisitor(cells, token), token)
  }
}

const isVisitorToken = (token: string) => /^wct_([0-9a-z]{26}_)?[A-Za-z0-9_-]{43}$/.test(token)

/** Returns the cell of the visitor of a token. */
export function locateVisitor(cells: Cells, token: string): Promise<Deps> {
  return locateToken(
    cells,
    token,
    async ({ db, clock }) =>
      (await findVisitorByToken(db, hashToken(token), clock.now().toISOString()))?.tenantId,
  )
}

export async function findVisitorOfToken(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'caches'>,
  token: string,
): Promise<Visitor | undefined> {
  if (!isVisitorToken(token)) return undefined
  const visitor = await findVisitorByToken(deps.db, hashToken(token), deps.clock.now().toISOString())
  if (visitor) recordSeen(deps, { tenantId: visitor.tenantId, id: visitor.id })
  return visitor
}

export interface VisitorStart {
  locale?: string | undefined
  page?: string | undefined
  referrer?: string | undefined
  contact?: { name: string; email: string } | undefined
}

export async function createVisitor(
  tx: Tx,
  inbox: { tenantId: string; id: string },
  { locale, page, referrer, contact }: VisitorStart,
): Promise<{ id: string; token: string; expiresAt: string }> {
  const token = `wct_${toTokenScope(inbox.tenantId)}_${randomBytes(32).toString('base64url')}`
  const id = VisitorId.create()
  const expiresAt = new Date(Date.parse(tx.now) + ttlMs).toISOString()
  await insertVisitor(tx, {
    tenantId: inbox.tenantId,
    id,
    inboxId: inbox.id,
    tokenHash: hashToken(token),
    expiresAt,
    name: contact?.name ?? null,
    email: contact?.email ?? null,
    locale: locale ?? null,
    page: page ?? null,
    referrer: referrer ?? null,
  })
  return { id, token, expiresAt }
}

/** Stores what the visitor says of itself. */
export async function changeClaims(tx: Tx, visitor: Visitor, patch: VisitorPatch): Promise<Visitor> {
  const { name, email, phone } = patch
  if (visitor.subject !== null && [name, email, phone].some(value => value !== undefined))
    fail(VisitorVerified)
  await updateVisitor(tx, visitor, patch)
  return { ...visitor, ...patch }
}

/** The address of the visitor on the channel. */
export const toAddress = ({ id, subject }: Pick<Visitor, 'id' | 'subject'>): string =>
  subject === null ? id : toVerifiedAddress(subject)

const verifiedPrefix = 'user:'

export const toVerifiedAddress = (subject: string): string => `${verifiedPrefix}${subject}`

/** Returns the id that the site signed, of the address of a verified visitor. */
export const toSubject = (address: string): string | undefined =>
  address.startsWith(verifiedPrefix) ? address.slice(verifiedPrefix.length) : undefined

/** Returns the visitor behind the address of a conversation. */
export function findVisitorOfAddress(
  on: Queryable,
  tenantId: string,
  { channel, externalId }: { channel: string; externalId: string },
): Promise<Visitor | undefined> {
  if (channel !== 'webchat') return Promise.resolve(undefined)
  const subject = toSubject(externalId)
  return findLatestVisitor(on, tenantId, {
    ids: [externalId],
    subjects: subject === undefined ? [] : [subject],
  })
}

export function visitorToApi({ id, subject, name, email, phone, isBlocked }: Visitor): WidgetVisitor {
  return { id, isVerified: subject !== null, isBlocked, name, email, phone }
}

const purgeBatch = 5_000

export const purgeVisitors = cron({
  name: 'webchat.purge_visitors',
  schedule: '23 * * * *',
  handle: async ({ db, clock }) => {
    const now = clock.now().toISOString()
    while ((await deleteExpiredVisitors(db, now, purgeBatch)) === purgeBatch);
  },
})

/** A visitor changed, such as when its site identified it or an agent blocked it: for the sockets of all processes. */
interface VisitorChange {
  tenantId: string
  /** The id of the visitor, or the address of all sessions of a verified one. */
  address: string
}

const changesTopic = 'webchat.visitors'

export function publishVisitorChanged(bus: Bus, change: VisitorChange): void {
  bus.publish(changesTopic, change)
}

export function onVisitorChanged(bus: Bus, listener: (change: VisitorChange) => void): () => void {
  return bus.subscribe<VisitorChange>(changesTopic, listener)
}
