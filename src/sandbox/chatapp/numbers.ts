/**
 * Phone numbers of chatapp. Each business account has two default numbers; an unknown number id is assigned to the first
 * business account that requests it.
 */

import type { SandboxContext } from '../context.ts'
import { findAppWebhook, type WebhookConfig } from '../graph/webhook-subscriptions.ts'
import type { AccountRef } from '../identifiers.ts'
import { fictionalNumber, hashDigits, memoize } from '../identifiers.ts'

/** Stored data of a number; everything else is derived from its id. */
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

export function findNumber(context: SandboxContext, phoneId: string): StoredNumber | undefined {
  return context.registry.get<StoredNumber>(key(phoneId))
}

const deriveWaba = memoize(phoneId => hashDigits(`chatapp/waba-of/${phoneId}`, 15, '2'))

export function getWaba(context: SandboxContext, phoneId: string): string {
  return findNumber(context, phoneId)?.waba ?? deriveWaba(phoneId)
}

export async function assignNumber(context: SandboxContext, phoneId: string, waba: string): Promise<void> {
  if (!findNumber(context, phoneId)) await context.registry.put(key(phoneId), { waba })
}

export async function assignDefaultNumbers(context: SandboxContext, waba: string): Promise<void> {
  await Promise.all(getDefaultNumberIds(waba).map(id => assignNumber(context, id, waba)))
}

export async function updateNumber(
  context: SandboxContext,
  phoneId: string,
  changes: Partial<StoredNumber>,
): Promise<void> {
  await context.registry.put(key(phoneId), {
    waba: getWaba(context, phoneId),
    ...findNumber(context, phoneId),
    ...changes,
  })
}

export function listNumberIds(context: SandboxContext, waba: string): string[] {
  const assigned = [...context.registry.entries<StoredNumber>('chatapp/number/')]
    .filter(([, number]) => number.waba === waba)
    .map(([name]) => name.slice('chatapp/number/'.length))
  return [...new Set([...getDefaultNumberIds(waba), ...assigned])]
}

export const getPhone = memoize(phoneId => fictionalNumber(`chatapp/${phoneId}`))

function formatPhone(phone: string): string {
  return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1-$2-$3')
}

export function findBusinessAccount(context: SandboxContext, waba: string): BusinessAccount | undefined {
  return context.registry.get<BusinessAccount>(`chatapp/waba/${waba}`)
}

export function findWebhook(context: SandboxContext, phoneId: string): WebhookConfig | undefined {
  const account = findBusinessAccount(context, getWaba(context, phoneId))
  return (
    findNumber(context, phoneId)?.webhook ??
    account?.webhook ??
    findAppWebhook(context, 'whatsapp_business_account')
  )
}

const isUnregistered = (phoneId: string): boolean => phoneId.startsWith('unregistered')

export function isRegistered(context: SandboxContext, phoneId: string): boolean {
  return !(findNumber(context, phoneId)?.deregistered ?? isUnregistered(phoneId))
}

/** Reports no limit by default, so that senders do not throttle themselves, and the real limits in strict mode. */
function getThroughput(context: SandboxContext, phoneId: string): string {
  if (!context.strict) return 'NOT_APPLICABLE'
  return hasHighThroughput(phoneId) ? 'HIGH' : 'STANDARD'
}

/** True for ids that end in an odd digit. */
export const hasHighThroughput = (phoneId: string): boolean => /[13579]$/.test(phoneId)

export function numberToApi(context: SandboxContext, phoneId: string): Record<string, unknown> {
  const number = findNumber(context, phoneId)
  const account = findBusinessAccount(context, getWaba(context, phoneId))
  const webhooks = {
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
    status: isRegistered(context, phoneId) ? 'CONNECTED' : 'DISCONNECTED',
    account_mode: 'SANDBOX',
    platform_type: 'CLOUD_API',
    host_platform: 'CLOUD_API',
    is_official_business_account: false,
    throughput: { level: getThroughput(context, phoneId) },
    webhook_configuration: webhooks,
    whatsapp_business_account: {
      id: getWaba(context, phoneId),
      name: `Sandbox ${getWaba(context, phoneId)}`,
    },
  }
}
