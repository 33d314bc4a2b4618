/**
 * What adapters need to act for an inbox: its credentials, decrypted, and the addresses. Kept in memory for a few
 * seconds, so that a send does not decrypt each time; a change in this process shows at once.
 */
import { LRUCache } from 'lru-cache'
import type { Channel } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import { InboxNotFound } from './errors.ts'
import type { Account, Provider } from './provider.ts'
import { chatapp } from './providers/chatapp/chatapp.ts'
import { sms } from './providers/sms/sms.ts'
import { socialapp } from './providers/socialapp/socialapp.ts'
import { findCredential, type InboxRow } from './store/inboxes.ts'

export const providers: Record<Channel, Provider> = { chatapp, socialapp, sms }

/** Told after an inbox changed, with its id. */
export const inboxChanged = 'inboxes.changed'
const encryptionPurpose = 'provider-credentials'
const cacheTtlMs = 5_000

type CacheEntry = Promise<Account | undefined>
const caches = new WeakMap<Deps['db'], LRUCache<string, CacheEntry>>()

function getCache({ db }: Pick<Deps, 'db'>): LRUCache<string, CacheEntry> {
  let cache = caches.get(db)
  if (!cache) {
    const made = new LRUCache<string, CacheEntry>({ max: 10_000, ttl: cacheTtlMs })
    db.signals.on(inboxChanged, (inboxId: string) => made.delete(inboxId))
    caches.set(db, made)
    cache = made
  }
  return cache
}

type AccountDeps = Pick<Deps, 'db' | 'keys' | 'channels' | 'config' | 'log'>

export async function getAccount(deps: AccountDeps, tenantId: string, inboxId: string): Promise<Account> {
  return (await findAccount(deps, tenantId, inboxId)) ?? fail(InboxNotFound)
}

export async function findAccount(
  deps: AccountDeps,
  tenantId: string,
  inboxId: string,
): Promise<Account | undefined> {
  const cache = getCache(deps)
  let found = cache.get(inboxId)
  if (!found) {
    found = load(deps, tenantId, inboxId)
    cache.set(inboxId, found)
    found.catch(() => cache.delete(inboxId))
  }
  const account = await found
  return account?.tenantId === tenantId ? account : undefined
}

async function load(deps: AccountDeps, tenantId: string, inboxId: string): Promise<Account | undefined> {
  const row = await findCredential(deps.db, tenantId, inboxId)
  return row && buildAccount(deps, row, readToken(deps, row))
}

function readToken(deps: AccountDeps, row: InboxRow & { credential: Buffer | null }): string {
  if (!row.credential) return deps.channels[row.channel].token ?? ''
  try {
    return deps.keys.decrypt(encryptionPurpose, row.credential)
  } catch (error) {
    deps.log.error({ err: error, inboxId: row.id }, 'the credentials of an inbox cannot be decrypted')
    return ''
  }
}

/** An inbox with this token, stored or not. */
export function buildAccount(
  { channels, config }: Pick<Deps, 'channels' | 'config'>,
  inbox: Pick<InboxRow, 'tenantId' | 'id' | 'channel' | 'externalId' | 'config' | 'rate'>,
  token: string,
): Account {
  const { tenantId, id, channel, externalId, rate } = inbox
  return {
    tenantId,
    inboxId: id,
    channel,
    externalId,
    rate,
    config: inbox.config,
    token,
    baseUrl: channels[channel].baseUrl,
    callbackUrl: buildWebhookUrl(config.publicUrl, channel, id),
  }
}

/** Where the provider calls us. The sms provider gets one address per inbox, with `/inbound` and `/status` under it. */
export function buildWebhookUrl(publicUrl: string, channel: Channel, inboxId: string): string {
  return channel === 'sms'
    ? `${publicUrl}/v1/channels/sms/${inboxId}`
    : `${publicUrl}/v1/channels/${channel}/webhook`
}

/** What a callback of the channel may be signed with; the sms provider signs with the account's own token. */
export function getWebhookSecrets(
  { channels }: Pick<Deps, 'channels'>,
  account: Account | Channel,
): string[] {
  const channel = typeof account === 'string' ? account : account.channel
  if (channel !== 'sms') return channels[channel].appSecrets
  return typeof account === 'string' || account.token === '' ? [] : [account.token]
}

export const encryptToken = ({ keys }: Pick<Deps, 'keys'>, token: string): Buffer =>
  keys.encrypt(encryptionPurpose, token)
export const decryptToken = ({ keys }: Pick<Deps, 'keys'>, sealed: Buffer): string =>
  keys.decrypt(encryptionPurpose, sealed)
