/**
 * Inboxes: connections to a number or account at a provider. A unique index ensures that a number is connected at most
 * once in the installation. Providers are called outside of transactions.
 */
import { LRUCache } from 'lru-cache'
import { recordAudit } from '../identity/audit.ts'
import { lockTeams } from '../identity/teams.ts'
import { defineCache } from '../platform/caches.ts'
import { batched } from '../platform/db/batched.ts'
import { isUniqueViolation, type Queryable, type Tx } from '../platform/db/db.ts'
import { recordUses } from '../platform/db/last-uses.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emitChanged, pendingChange } from '../platform/events/changed.ts'
import { emit, emitMany, pendingEvent } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { inboxChanged } from './accounts/accounts.ts'
import { findProviderAccounts } from './accounts/provider-lookup.ts'
import { enqueueRegistration } from './accounts/webhook-registration.ts'
import { InboxAlreadyConnected, InboxNotFound } from './errors.ts'
import { emitInboxUpdated, inboxCreated, inboxDeleted } from './events.ts'
import { inboxToApi } from './health.ts'
import { type CreateInboxesRequest, type Inbox, InboxId } from './schemas.ts'
import { consumePending } from './store/credentials.ts'
import {
  deleteInbox,
  findInbox,
  type InboxRow,
  insertInbox,
  listInboxesByIds,
  lockInbox,
  type ProviderAccount,
  updateCallbackTimes,
  updateTeam,
} from './store/inboxes.ts'

export {
  findInbox,
  findInboxById,
  type InboxRow,
  insertInbox,
  listInboxes,
  listInboxesByExternal,
} from './store/inboxes.ts'

export async function getInbox(deps: { db: Queryable }, tenantId: string, id: string): Promise<InboxRow> {
  return (await findInbox(deps.db, tenantId, id)) ?? fail(InboxNotFound)
}

interface InboxKey {
  tenantId: string
  inboxId: string
}

/** For hot paths: concurrent lookups share one query. */
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
  loading: Promise<InboxRow | undefined>
}

const inboxCache = defineCache(({ db }: Pick<Deps, 'db'>) => {
  const cache = new LRUCache<string, CacheEntry>({ max: 10_000, ttl: 800 })
  db.signals.on(inboxChanged, (inboxId: string) => cache.delete(inboxId))
  return cache
})

/**
 * Returns the inbox as of the last 0.8 seconds; changes made in this process are visible immediately. Sufficient for a
 * message in an open session, which ends with its inbox; not for opening a session.
 */
export async function getCachedInbox(
  deps: Pick<Deps, 'db' | 'caches'>,
  key: InboxKey,
): Promise<InboxRow | undefined> {
  const { tenantId, inboxId } = key
  const cache = inboxCache(deps)
  const cached = cache.get(inboxId)
  if (cached?.tenantId === tenantId) return cached.loading
  const loading = findInboxBatched(deps.db, key)
  const entry = { tenantId, loading }
  cache.set(inboxId, entry)
  const evict = () => void (cache.get(inboxId) === entry && cache.delete(inboxId))
  loading.then(inbox => inbox ?? evict(), evict)
  return loading
}

const callbackIntervalMs = 60_000

/** Records that the provider sent an event about the inbox. */
export const recordCallback = recordUses(callbackIntervalMs, (db, uses) =>
  updateCallbackTimes(db, uses, callbackIntervalMs),
)

export async function createInboxes(
  deps: Deps,
  caller: Caller,
  request: CreateInboxesRequest,
  write: Write,
): Promise<{ inboxes: Inbox[] }> {
  const accounts = await findProviderAccounts(deps, caller.tenantId, request)
  await reserveAccounts(deps, caller.tenantId, accounts)
  return write(async tx => {
    const inboxes = await connectInboxes(tx, caller, accounts)
    const pendingId = request.sms?.pendingCredentialId
    if (pendingId !== undefined && !(await consumePending(tx, caller.tenantId, pendingId)))
      invalid(
        violation(
          'sms.pendingCredentialId',
          'not_found',
          'was not found, was used or has expired; list the phone numbers again',
        ),
      )
    return { inboxes: inboxes.map(inboxToApi) }
  })
}

/** Throws if another workspace of the installation has one of the accounts. */
export async function reserveAccounts(
  { cells }: Pick<Deps, 'cells'>,
  tenantId: string,
  accounts: readonly ProviderAccount[],
): Promise<void> {
  // Keys of web chats are random.
  const remote = accounts.filter(({ channel }) => channel !== 'webchat')
  const [taken] = await cells.reserve(tenantId, remote)
  if (taken) fail(InboxAlreadyConnected, `${taken.externalId} is already connected`)
}

/** Inserts in the order of the external ids, so that concurrent requests for the same ids do not deadlock. */
export async function connectInboxes(
  tx: Tx,
  caller: Pick<Caller, 'tenantId' | 'id' | 'kind'>,
  accounts: readonly ProviderAccount[],
): Promise<InboxRow[]> {
  const { tenantId } = caller
  const rows = new Map<string, InboxRow>()
  for (const account of [...accounts].sort((a, b) => (a.externalId < b.externalId ? -1 : 1)))
    rows.set(account.externalId, await insertUnconnected(tx, caller, account))
  const inboxes = accounts.map(({ externalId }) => rows.get(externalId)!)
  await enqueueRegistration(
    tx,
    inboxes.filter(({ channel }) => channel !== 'webchat'),
  )
  await emitMany(
    tx,
    inboxes.flatMap(inbox => [
      pendingEvent(inboxCreated, { tenantId, data: { inbox: inboxToApi(inbox) } }),
      pendingChange(tenantId, { kind: 'inbox', id: inbox.id }),
    ]),
  )
  for (const { id, channel, externalId } of inboxes)
    await recordAudit(tx, caller, 'inbox.created', id, { channel, externalId })
  return inboxes
}

async function insertUnconnected(
  tx: Tx,
  { tenantId, id: createdBy }: Pick<Caller, 'tenantId' | 'id'>,
  account: ProviderAccount,
): Promise<InboxRow> {
  try {
    return await insertInbox(tx, { ...account, tenantId, createdBy, id: InboxId.create() })
  } catch (error) {
    if (isUniqueViolation(error, 'inboxes_external'))
      fail(InboxAlreadyConnected, `${account.externalId} is already connected`)
    throw error
  }
}

export async function removeInbox(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const inbox = (await deleteInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
  await emit(tx, inboxDeleted, { tenantId, data: { inbox: inboxToApi(inbox) } })
  await emitChanged(tx, tenantId, { kind: 'inbox', id, revision: null })
  await recordAudit(tx, caller, 'inbox.deleted', id, { channel: inbox.channel, externalId: inbox.externalId })
  tx.signal(inboxChanged, id)
}

/** Routes new conversations of the inbox to the team; null: to the workspace's fallback. */
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
  await emitInboxUpdated(tx, tenantId, inbox, ['teamId'])
  await recordAudit(tx, caller, 'inbox.team_changed', id, { from: before.teamId, to: teamId })
  tx.signal(inboxChanged, id)
  return inbox
}
