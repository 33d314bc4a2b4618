/**
 * The numbers of the chat provider. Every business account has two of its own; a number id that was made up becomes a
 * number of the business account it is first named with.
 */
import type { AccountRef } from '../channels.ts'
import { appHook, type Hook } from '../hooks.ts'
import { digitsOf, remembered } from '../identifiers.ts'
import { inventedNumber } from '../numbers.ts'
import type { World } from '../world.ts'

/** What the registry keeps of a number; the rest follows from its id. */
interface Kept {
  waba: string
  hook?: Hook
  deregistered?: boolean
}

export interface BusinessAccount {
  subscribed: boolean
  hook?: Hook
}

export const refOf = (phoneId: string): AccountRef => ({ channel: 'chatapp', account: phoneId })

export function listedNumberIds(waba: string): string[] {
  return [0, 1].map(i => digitsOf(`chatapp/${waba}/${i}`, 15, '1'))
}

const key = (phoneId: string) => `chatapp/number/${phoneId}`

export function kept(world: World, phoneId: string): Kept | undefined {
  return world.registry.get<Kept>(key(phoneId))
}

const strayWaba = remembered(phoneId => digitsOf(`chatapp/waba-of/${phoneId}`, 15, '2'))

export function wabaOf(world: World, phoneId: string): string {
  return kept(world, phoneId)?.waba ?? strayWaba(phoneId)
}

/** Only the first naming counts: a number does not wander. */
export async function bind(world: World, phoneId: string, waba: string): Promise<void> {
  if (!kept(world, phoneId)) await world.registry.put(key(phoneId), { waba })
}

export async function bindListed(world: World, waba: string): Promise<void> {
  await Promise.all(listedNumberIds(waba).map(id => bind(world, id, waba)))
}

export async function change(world: World, phoneId: string, changes: Partial<Kept>): Promise<void> {
  await world.registry.put(key(phoneId), {
    waba: wabaOf(world, phoneId),
    ...kept(world, phoneId),
    ...changes,
  })
}

export function numbersOf(world: World, waba: string): string[] {
  const made = [...world.registry.entries<Kept>('chatapp/number/')]
    .filter(([, number]) => number.waba === waba)
    .map(([name]) => name.slice('chatapp/number/'.length))
  return [...new Set([...listedNumberIds(waba), ...made])]
}

export const phoneOf = remembered(phoneId => inventedNumber(`chatapp/${phoneId}`))

function displayed(phone: string): string {
  return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1-$2-$3')
}

export function businessAccount(world: World, waba: string): BusinessAccount | undefined {
  return world.registry.get<BusinessAccount>(`chatapp/waba/${waba}`)
}

export function hookOf(world: World, phoneId: string): Hook | undefined {
  const account = businessAccount(world, wabaOf(world, phoneId))
  return kept(world, phoneId)?.hook ?? account?.hook ?? appHook(world, 'whatsapp_business_account')
}

const isUnregistered = (phoneId: string): boolean => phoneId.startsWith('unregistered')

export function isRegistered(world: World, phoneId: string): boolean {
  return !(kept(world, phoneId)?.deregistered ?? isUnregistered(phoneId))
}

/** Told without limits by default, so that senders do not pace themselves; with the real ones in strict mode. */
function throughput(world: World, phoneId: string): string {
  if (!world.strict) return 'NOT_APPLICABLE'
  return isFast(phoneId) ? 'HIGH' : 'STANDARD'
}

/** Numbers whose id ends in an odd digit have the higher throughput. */
export const isFast = (phoneId: string): boolean => /[13579]$/.test(phoneId)

export function describe(world: World, phoneId: string): Record<string, unknown> {
  const number = kept(world, phoneId)
  const account = businessAccount(world, wabaOf(world, phoneId))
  const hooks = {
    ...(number?.hook ? { phone_number: number.hook.uri } : {}),
    ...(account?.hook ? { whatsapp_business_account: account.hook.uri } : {}),
  }
  return {
    id: phoneId,
    display_phone_number: displayed(phoneOf(phoneId)),
    verified_name: `Sandbox ${phoneId.slice(-4)}`,
    code_verification_status: isUnregistered(phoneId) ? 'NOT_VERIFIED' : 'VERIFIED',
    quality_rating: phoneId.startsWith('lowquality') ? 'RED' : 'GREEN',
    name_status: 'APPROVED',
    status: isRegistered(world, phoneId) ? 'CONNECTED' : 'DISCONNECTED',
    account_mode: 'SANDBOX',
    platform_type: 'CLOUD_API',
    host_platform: 'CLOUD_API',
    is_official_business_account: false,
    throughput: { level: throughput(world, phoneId) },
    webhook_configuration: hooks,
    whatsapp_business_account: { id: wabaOf(world, phoneId), name: `Sandbox ${wabaOf(world, phoneId)}` },
  }
}
