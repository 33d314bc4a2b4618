/**
 * Inboxes: connections to a number or account at a provider. One number is connected at most once in the whole
 * installation, which the database sees to. Providers are asked before or after a transaction, never in one.
 */
import { LRUCache } from 'lru-cache'
import { recordAudit } from '../identity/audit.ts'
import { lockTeams } from '../identity/teams.ts'
import { batched } from '../platform/db/batched.ts'
import { type Db, isUniqueViolation, type Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emit, emitMany, pendingEvent } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { inboxChanged } from './accounts.ts'
import { InboxAlreadyConnected, InboxNotFound } from './errors.ts'
import { inboxCreated, inboxDeleted, inboxUpdated } from './events.ts'
import { inboxToApi } from './inbox-view.ts'
import { findProviderAccounts, type ProviderAccount } from './provider-lookup.ts'
import { type CreateInboxesRequest, type Inbox, InboxId } from './schemas.ts'
import { consumePending } from './store/credentials.ts'
import {
  deleteInbox,
  findInbox,
  type InboxRow,
  insertInbox,
  listInboxesByIds,
  lockInbox,
  updateTeam,
} from './store/inboxes.ts'
import { enqueueRegistration } from './webhook-registration.ts'

export {
  findInbox,
  findInboxById,
  type InboxRow,
  insertInbox,
  listInboxes,
  listInboxesByExternal,
} from './store/inboxes.ts'

export async function getInbox(deps: Pick<Deps, 'db'>, tenantId: string, id: string): Promise<InboxRow> {
  return (await findInbox(deps.db, tenantId, id)) ?? fail(InboxNotFound)
}

interface InboxKey {
  tenantId: string
  inboxId: string
}

/** For hot paths: asked for in the same moment, the inboxes of many messages are one question, and mostly one row. */
export const findInboxBatched = batched<InboxKey, InboxRow | undefined>(
  { batchSize: 64, concurrency: 4 },
  async (db, keys) => {
    const found = new Map((await listInboxesByIds(db, keys)).map(inbox => [inbox.id, inbox]))
    return keys.map(({ tenantId, inboxId }) => {
      const inbox = found.get(inboxId)
      return inbox?.tenantId === tenantId ? inbox : undefined
    })
  },
)

interface CacheEntry {
  tenantId: string
  finding: Promise<InboxRow | undefined>
}
const caches = new WeakMap<Db, LRUCache<string, CacheEntry>>()

function getCache(db: Db): LRUCache<string, CacheEntry> {
  let cache = caches.get(db)
  if (!cache) {
    const made = new LRUCache<string, CacheEntry>({ max: 10_000, ttl: 800 })
    db.signals.on(inboxChanged, (inboxId: string) => made.delete(inboxId))
    caches.set(db, made)
    cache = made
  }
  return cache
}

/**
 * As it was within the last 0.8 seconds: what changes in this process shows at once, what another changes soon. Enough
 * for a message in a session, which ends with its inbox; not for opening one.
 */
export async function getCachedInbox(db: Db, key: InboxKey): Promise<InboxRow | undefined> {
  const { tenantId, inboxId } = key
  const cache = getCache(db)
  const known = cache.get(inboxId)
  if (known?.tenantId === tenantId) return known.finding
  const finding = findInboxBatched(db, key)
  const entry = { tenantId, finding }
  cache.set(inboxId, entry)
  const forget = () => void (cache.get(inboxId) === entry && cache.delete(inboxId))
  finding.then(inbox => inbox ?? forget(), forget)
  return finding
}

export async function createInboxes(
  deps: Deps,
  caller: Caller,
  asked: CreateInboxesRequest,
  write: Write,
): Promise<{ inboxes: Inbox[] }> {
  const found = await findProviderAccounts(deps, caller.tenantId, asked)
  return write(async tx => {
    const inboxes = await connectInboxes(tx, caller, found)
    const pendingId = asked.sms?.pendingCredentialId
    if (pendingId !== undefined && !(await consumePending(tx, caller.tenantId, pendingId)))
      invalid(violation('sms.pendingCredentialId', 'not_found', 'is unknown, used or expired'))
    return { inboxes: inboxes.map(inboxToApi) }
  })
}

/** In the order of the numbers, so that two who connect the same ones do not wait for each other. */
export async function connectInboxes(
  tx: Tx,
  caller: Pick<Caller, 'tenantId' | 'id' | 'kind'>,
  found: ProviderAccount[],
): Promise<InboxRow[]> {
  const { tenantId } = caller
  const rows = new Map<string, InboxRow>()
  for (const one of [...found].sort((a, b) => (a.externalId < b.externalId ? -1 : 1)))
    rows.set(one.externalId, await insertUnconnected(tx, caller, one))
  const inboxes = found.map(one => rows.get(one.externalId)!)
  await enqueueRegistration(tx, inboxes)
  await emitMany(
    tx,
    inboxes.map(inbox => pendingEvent(inboxCreated, { tenantId, data: { inbox: inboxToApi(inbox) } })),
  )
  for (const { id, channel, externalId } of inboxes)
    await recordAudit(tx, tenantId, caller, {
      action: 'inbox.created',
      targetType: 'inbox',
      targetId: id,
      details: { channel, externalId },
    })
  return inboxes
}

async function insertUnconnected(
  tx: Tx,
  { tenantId, id: createdBy }: Pick<Caller, 'tenantId' | 'id'>,
  found: ProviderAccount,
): Promise<InboxRow> {
  try {
    return await insertInbox(tx, { ...found, tenantId, createdBy, id: InboxId.create() })
  } catch (error) {
    if (isUniqueViolation(error, 'inboxes_external'))
      fail(InboxAlreadyConnected, `${found.externalId} is connected already`)
    throw error
  }
}

export async function removeInbox(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const inbox = (await deleteInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
  await emit(tx, inboxDeleted, { tenantId, data: { inbox: inboxToApi(inbox) } })
  await recordAudit(tx, tenantId, caller, {
    action: 'inbox.deleted',
    targetType: 'inbox',
    targetId: id,
    details: { channel: inbox.channel, externalId: inbox.externalId },
  })
  tx.signal(inboxChanged, id)
}

/** New conversations of the inbox go to the team; null: to the workspace's fallback. */
export async function assignInboxTeam(
  tx: Tx,
  caller: Caller,
  id: string,
  teamId: string | null,
): Promise<Inbox> {
  const { tenantId } = caller
  const before = (await lockInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
  if (teamId !== null && !(await lockTeams(tx, tenantId, [teamId])).has(teamId))
    invalid(violation('teamId', 'unknown_team', 'is not a team of this workspace'))
  if (before.teamId === teamId) return inboxToApi(before)
  const inbox = inboxToApi(await updateTeam(tx, tenantId, id, teamId))
  await emit(tx, inboxUpdated, { tenantId, data: { inbox } })
  await recordAudit(tx, tenantId, caller, {
    action: 'inbox.team_changed',
    targetType: 'inbox',
    targetId: id,
    details: { from: before.teamId, to: teamId },
  })
  tx.signal(inboxChanged, id)
  return inbox
}
