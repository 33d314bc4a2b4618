/**
 * Provider accounts: decrypted credentials and URLs that adapters need to act for an inbox. Cached for a few seconds so
 * that a send does not decrypt each time; a change made in this process invalidates its entry immediately.
 */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../../platform/caches.ts'
import type { Channel, RemoteChannel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { ChannelSettings } from '../channels.ts'
import { InboxNotFound } from '../errors.ts'
import { chatapp } from '../providers/chatapp/chatapp.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { workspaceParameter } from '../providers/sms/parse-webhook.ts'
import { sms } from '../providers/sms/sms.ts'
import { socialapp } from '../providers/socialapp/socialapp.ts'
import { webchat } from '../providers/webchat/webchat.ts'
import { listGranted } from '../store/credentials.ts'
import { findCredential, type InboxRow } from '../store/inboxes.ts'

/** After a revocation, connected inboxes stay connected; no further inbox of the account can be connected. */
export {
  deleteGrant as revokeProviderAccount,
  insertGrant as grantProviderAccount,
} from '../store/credentials.ts'

export const providers: Record<Channel, Provider> = { chatapp, socialapp, sms, webchat }

/** In-process signal sent after an inbox changed, with its id. */
export const inboxChanged = 'inboxes.changed'
const encryptionPurpose = 'provider-credentials'
export const sealedCredentials = ['inboxes', 'pending_credentials'].map(table => ({
  table,
  id: 'id',
  column: 'credential',
  purpose: encryptionPurpose,
}))
const cacheTtlMs = 5_000

const accountCache = defineCache(({ db }: Pick<Deps, 'db'>) => {
  const cache = new LRUCache<string, Promise<Account | undefined>>({ max: 10_000, ttl: cacheTtlMs })
  db.signals.on(inboxChanged, (inboxId: string) => cache.delete(inboxId))
  return cache
})

export type AccountDeps = Pick<Deps, 'db' | 'keys' | 'channels' | 'config' | 'log' | 'caches'>

export async function getAccount(deps: AccountDeps, tenantId: string, inboxId: string): Promise<Account> {
  return (await findAccount(deps, tenantId, inboxId)) ?? fail(InboxNotFound)
}

export async function findAccount(
  deps: AccountDeps,
  tenantId: string,
  inboxId: string,
): Promise<Account | undefined> {
  const cache = accountCache(deps)
  let loading = cache.get(inboxId)
  if (!loading) {
    loading = load(deps, tenantId, inboxId)
    cache.set(inboxId, loading)
    loading.catch(() => cache.delete(inboxId))
  }
  const account = await loading
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
    deps.log.error({ err: error, inboxId: row.id }, 'inbox credentials cannot be decrypted')
    return ''
  }
}

/** Builds the account of an inbox, which need not be stored yet, with the given token. */
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
    webhookUrl: buildWebhookUrl(config.publicUrl, channel, id),
  }
}

/** URL of the provider's webhooks. An sms inbox has its own URL, with `/inbound` and `/status` below it. */
export function buildWebhookUrl(publicUrl: string, channel: Channel, inboxId: string): string {
  return channel === 'sms'
    ? `${publicUrl}/v1/channels/sms/${inboxId}`
    : `${publicUrl}/v1/channels/${channel}/webhook`
}

/** Returns the workspace that the URL of an sms callback names; undefined for URLs of earlier versions. */
export function readSmsWorkspace(query: object): string | undefined {
  const tenantId = (query as Record<string, unknown>)[workspaceParameter]
  return typeof tenantId === 'string' && tenantId.startsWith('tn_') ? tenantId : undefined
}

/** Returns the provider accounts that the operator did not grant to the workspace. The sandbox grants all. */
export async function listNotGranted(
  { db, channels }: Pick<Deps, 'db' | 'channels'>,
  tenantId: string,
  channel: Channel,
  resourceIds: readonly string[],
): Promise<string[]> {
  if (channels[channel].isSandbox) return []
  const granted = await listGranted(db, tenantId, channel, resourceIds)
  return resourceIds.filter(id => !granted.has(id))
}

/** Secrets that may have signed a webhook of the channel; the sms provider signs with the account's own token. */
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
export const decryptToken = ({ keys }: Pick<Deps, 'keys'>, encrypted: Buffer): string =>
  keys.decrypt(encryptionPurpose, encrypted)

/** Identifies a registration: our webhook URL and the provider's base URL. */
export function buildRegistration(
  { config, channels }: Pick<Deps, 'config' | 'channels'>,
  { channel, id }: Pick<InboxRow, 'channel' | 'id'>,
): string {
  return `${buildWebhookUrl(config.publicUrl, channel, id)} at ${channels[channel].baseUrl}`
}

/** Registers the webhook URL with the provider and returns the registration to store. Throws ProviderCallError. */
export async function registerWebhook(
  deps: Pick<Deps, 'config' | 'channels'>,
  account: Account,
): Promise<string> {
  const { channel, inboxId } = account
  await providers[channel].registerWebhook(account, deps.channels[channel].verifyToken)
  return buildRegistration(deps, { channel, id: inboxId })
}

/** Messages per second according to the providers' documentation. */
const defaultRates: Record<RemoteChannel, number> = { chatapp: 80, socialapp: 100, sms: 1 }

/** Returns the operator's rate, else the rate that the provider reports, else the default; null: unlimited. */
export function resolveRate(
  settings: ChannelSettings,
  channel: Channel,
  reported: number | undefined,
): number | null {
  if (channel === 'webchat') return null
  if (settings.rate !== undefined) return settings.rate
  if (settings.isSandbox) return channel === 'chatapp' ? (reported ?? null) : null
  return reported ?? defaultRates[channel]
}
