/**
 * The numbers of the chat provider. Every business account has two of its own; a number id that was made up becomes a
 * number of the business account it is first named with.
 */
import type { AccountRef } from '../channels.ts'
import type { SandboxContext } from '../context.ts'
import { findAppWebhook, type WebhookConfig } from '../graph/webhook-subscriptions.ts'
import { hashDigits, memoize } from '../identifiers.ts'
import { fictionalNumber } from '../numbers.ts'

/** What the registry keeps of a number; the rest follows from its id. */
interface StoredNumber {
  waba: string
  webhook?: WebhookConfig
  deregistered?: boolean
}

export interface BusinessAccount {
  subscribed: boolean
  webhook?: WebhookConfig
}

export const toAccountRef = (phoneId: string): AccountRef => ({ channel: 'chatapp', account: phoneId })

export function getDefaultNumberIds(waba: string): string[] {
  return [0, 1].map(i => hashDigits(`chatapp/${waba}/${i}`, 15, '1'))
}

const key = (phoneId: string) => `chatapp/number/${phoneId}`

export function findNumber(world: SandboxContext, phoneId: string): StoredNumber | undefined {
  return world.registry.get<StoredNumber>(key(phoneId))
}

const deriveWaba = memoize(phoneId => hashDigits(`chatapp/waba-of/${phoneId}`, 15, '2'))

export function getWaba(world: SandboxContext, phoneId: string): string {
  return findNumber(world, phoneId)?.waba ?? deriveWaba(phoneId)
}

/** Only the first naming counts: a number does not wander. */
export async function assignNumber(world: SandboxContext, phoneId: string, waba: string): Promise<void> {
  if (!findNumber(world, phoneId)) await world.registry.put(key(phoneId), { waba })
}

export async function assignDefaultNumbers(world: SandboxContext, waba: string): Promise<void> {
  await Promise.all(getDefaultNumberIds(waba).map(id => assignNumber(world, id, waba)))
}

export async function updateNumber(
  world: SandboxContext,
  phoneId: string,
  changes: Partial<StoredNumber>,
): Promise<void> {
  await world.registry.put(key(phoneId), {
    waba: getWaba(world, phoneId),
    ...findNumber(world, phoneId),
    ...changes,
  })
}

export function listNumberIds(world: SandboxContext, waba: string): string[] {
  const made = [...world.registry.entries<StoredNumber>('chatapp/number/')]
    .filter(([, number]) => number.waba === waba)
    .map(([name]) => name.slice('chatapp/number/'.length))
  return [...new Set([...getDefaultNumberIds(waba), ...made])]
}

export const getPhone = memoize(phoneId => fictionalNumber(`chatapp/${phoneId}`))

function formatPhone(phone: string): string {
  return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1-$2-$3')
}

export function findBusinessAccount(world: SandboxContext, waba: string): BusinessAccount | undefined {
  return world.registry.get<BusinessAccount>(`chatapp/waba/${waba}`)
}

export function findWebhook(world: SandboxContext, phoneId: string): WebhookConfig | undefined {
  const account = findBusinessAccount(world, getWaba(world, phoneId))
  return (
    findNumber(world, phoneId)?.webhook ??
    account?.webhook ??
    findAppWebhook(world, 'whatsapp_business_account')
  )
}

const isUnregistered = (phoneId: string): boolean => phoneId.startsWith('unregistered')

export function isRegistered(world: SandboxContext, phoneId: string): boolean {
  return !(findNumber(world, phoneId)?.deregistered ?? isUnregistered(phoneId))
}

/** Told without limits by default, so that senders do not pace themselves; with the real ones in strict mode. */
function getThroughput(world: SandboxContext, phoneId: string): string {
  if (!world.strict) return 'NOT_APPLICABLE'
  return hasHighThroughput(phoneId) ? 'HIGH' : 'STANDARD'
}

/** Numbers whose id ends in an odd digit have the higher throughput. */
export const hasHighThroughput = (phoneId: string): boolean => /[13579]$/.test(phoneId)

export function numberToApi(world: SandboxContext, phoneId: string): Record<string, unknown> {
  const number = findNumber(world, phoneId)
  const account = findBusinessAccount(world, getWaba(world, phoneId))
  const hooks = {
    ...(number?.webhook ? { phone_number: number.webhook.uri } : {}),
    ...(account?.webhook ? { whatsapp_business_account: account.webhook.uri } : {}),
  }
  return {
    id: phoneId,
    display_phone_number: formatPhone(getPhone(phoneId)),
    verified_name: `Sandbox ${phoneId.slice(-4)}`,
    code_verification_status: isUnregistered(phoneId) ? 'NOT_VERIFIED' : 'VERIFIED',
    quality_rating: phoneId.startsWith('lowquality') ? 'RED' : 'GREEN',
    name_status: 'APPROVED',
    status: isRegistered(world, phoneId) ? 'CONNECTED' : 'DISCONNECTED',
    account_mode: 'SANDBOX',
    platform_type: 'CLOUD_API',
    host_platform: 'CLOUD_API',
    is_official_business_account: false,
    throughput: { level: getThroughput(world, phoneId) },
    webhook_configuration: hooks,
    whatsapp_business_account: { id: getWaba(world, phoneId), name: `Sandbox ${getWaba(world, phoneId)}` },
  }
}
