/**
 * The control surface: what a test, a checker or a newcomer does to the providers. The same calls work inside the
 * process and, over HTTP with a token, on a sandbox in a process of its own.
 */

import type { AccountRef } from '../channels.ts'
import { receiveInbound as chatReceive, emitAccountEvent } from '../chatapp/inbound.ts'
import { getWaba } from '../chatapp/numbers.ts'
import { findTemplate, listStoredTemplates, saveTemplate } from '../chatapp/templates.ts'
import { getMessageId, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import { GraphError } from '../graph/graph.ts'
import { type Json, parseBody } from '../http/bodies.ts'
import type { ReceivedRequest, RequestLog } from '../http/request-log.ts'
import type { Faults, Inbound } from '../schemas.ts'
import { SmsError } from '../sms/errors.ts'
import { receiveInbound as smsReceive } from '../sms/inbound.ts'
import { receiveInbound as socialReceive } from '../socialapp/inbound.ts'

export interface SentItem {
  providerMessageId: string
  to: string
  /** the provider's request body as received */
  payload: Json
  receivedAt: string
}

/** A template gets decided on: PENDING becomes APPROVED, APPROVED becomes PAUSED … */
export interface TemplateDecision {
  /** a number of the business account that the template belongs to */
  account: string
  name: string
  language: string
  status: string
  reason?: string
}

export interface SandboxControl {
  /** A customer does something. Answers the provider's id of it once it cannot be lost any more. */
  inbound(account: AccountRef, inbound: Inbound): Promise<{ providerMessageId: string }>
  /** Every message an account sent, or sent to one recipient: complete and in order. */
  sent(account: AccountRef, to?: string): Promise<SentItem[]>
  /** Moves time on, for everyone or for these accounts. */
  advanceClock(seconds: number, accounts?: AccountRef[]): Promise<{ now: string }>
  /** Replaces the faults of everyone, or of these accounts (whose own then replace those of everyone). */
  setFaults(faults: Faults, accounts?: AccountRef[]): Promise<void>
  clearFaults(accounts?: AccountRef[]): Promise<void>
  /** Any other field of the chat provider's callback, such as `account_update`. */
  event(account: AccountRef, field: string, value: Json): Promise<void>
  decideTemplate(decision: TemplateDecision): Promise<void>
  /** How many callbacks have not been accepted yet. */
  pendingCallbacks(accounts?: AccountRef[]): Promise<number>
  /** The last thousand calls as they came in, refused ones included. */
  requests(): Promise<ReceivedRequest[]>
  /** Forgets messages, callbacks, clocks and faults; numbers, addresses, templates and media stay. */
  reset(): Promise<void>
}

/** Something that was asked of the control surface and cannot be. */
export class ControlError extends Error {}

const inboundHandlers = { chatapp: chatReceive, socialapp: socialReceive, sms: smsReceive }

export async function simulateInbound(
  world: SandboxContext,
  { channel, account }: AccountRef,
  inbound: Inbound,
): Promise<string> {
  try {
    return await inboundHandlers[channel](world, account, inbound)
  } catch (error) {
    if (error instanceof GraphError || error instanceof SmsError) throw new ControlError(error.message)
    throw error
  }
}

async function listSent(
  world: SandboxContext,
  { channel, account }: AccountRef,
  to?: string,
): Promise<SentItem[]> {
  const peer = to === undefined ? undefined : channel === 'socialapp' ? to : toCustomerKey(to)
  const positions = [...world.ledger.newestFirst(channel, account, peer)].reverse()
  const items = await world.ledger.read(positions, ({ entry, payload }) =>
    entry.kind !== 'sent'
      ? undefined
      : {
          providerMessageId: getMessageId(world, entry),
          to: String(entry.metadata.to),
          payload: parseBody(payload.toString('utf8')),
          receivedAt: new Date(entry.at).toISOString(),
        },
  )
  return items.filter(item => item !== undefined)
}

/** A user id is its own key; of a phone number all spellings are one. */
const toCustomerKey = (to: string): string => (/^[A-Z]{2}\./.test(to) ? to : normalizePhone(to))

async function decideTemplate(world: SandboxContext, decision: TemplateDecision): Promise<void> {
  const { account, name, language, status, reason = 'NONE' } = decision
  const waba = getWaba(world, account)
  if (!findTemplate(world, waba, name, language))
    throw new ControlError(`there is no template ${name} in ${language}`)
  const stored = listStoredTemplates(world, waba).find(one => one.name === name && one.language === language)!
  await saveTemplate(world, { ...stored, status })
  await emitAccountEvent(world, account, 'message_template_status_update', {
    event: status,
    message_template_id: Number(stored.id),
    message_template_name: name,
    message_template_language: language,
    message_template_category: stored.category,
    reason,
  })
}

async function reset(world: SandboxContext, requests: RequestLog): Promise<void> {
  world.callbacks.clear()
  world.conversations.clear()
  requests.clear()
  await world.ledger.clear()
  const comments = [...world.registry.entries('socialapp/comment/')].map(([key]) => key)
  await Promise.all(comments.map(key => world.registry.put(key, undefined)))
  await Promise.all([world.faults.clear(), world.clock.reset()])
  // Ids of messages must not come back, so their epoch moves on even when no time has passed.
  const before = world.registry.get<number>('epoch') ?? 0
  await world.registry.put('epoch', Math.max(world.clock.wallNow(), before + 1))
  await world.registry.rewrite()
}

export function buildControl(world: SandboxContext, requests: RequestLog): SandboxControl {
  return {
    inbound: async (account, inbound) => ({
      providerMessageId: await simulateInbound(world, account, inbound),
    }),
    sent: (account, to) => listSent(world, account, to),
    async advanceClock(seconds, accounts) {
      await world.clock.advance(seconds, accounts)
      world.callbacks.advance(seconds * 1000, accounts)
      const now = accounts?.[0] ? world.clock.now(accounts[0]) : world.clock.sharedNow()
      return { now: new Date(now).toISOString() }
    },
    setFaults: (faults, accounts) => world.faults.set(faults, accounts),
    clearFaults: accounts => world.faults.clear(accounts),
    event: (account, field, value) => emitAccountEvent(world, account.account, field, value),
    decideTemplate: decision => decideTemplate(world, decision),
    pendingCallbacks: async accounts => world.callbacks.countPending(accounts),
    requests: async () => requests.list(),
    reset: () => reset(world, requests),
  }
}
