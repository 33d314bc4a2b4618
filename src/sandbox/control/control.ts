/**
 * The control API: simulates customers and controls faults and time. The same calls work inside the process and over
 * HTTP (with a token).
 */

import { receiveInbound as chatReceive, emitAccountEvent } from '../chatapp/inbound.ts'
import { getWaba } from '../chatapp/numbers.ts'
import { findTemplate, listStoredTemplates, saveTemplate } from '../chatapp/templates.ts'
import { getMessageId, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import { GraphError } from '../graph/graph.ts'
import { type Json, parseBody } from '../http/bodies.ts'
import type { ReceivedRequest, RequestLog } from '../http/request-log.ts'
import type { AccountRef } from '../identifiers.ts'
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

/** A review decision: sets the status of a template. */
export interface TemplateDecision {
  /** a number of the business account that the template belongs to */
  account: string
  name: string
  language: string
  status: string
  reason?: string
}

export interface SandboxControl {
  /** Simulates a customer action and returns the provider's message id once the entry is written. */
  inbound(account: AccountRef, inbound: Inbound): Promise<{ providerMessageId: string }>
  /** Lists all messages of an account, or those to one recipient, in order. */
  sent(account: AccountRef, to?: string): Promise<SentItem[]>
  /** Advances the clock of all accounts or of these. */
  advanceClock(seconds: number, accounts?: AccountRef[]): Promise<{ now: string }>
  /** Replaces the common faults, or the faults of these accounts. An account's faults replace the common ones. */
  setFaults(faults: Faults, accounts?: AccountRef[]): Promise<void>
  clearFaults(accounts?: AccountRef[]): Promise<void>
  /** Emits any other field of the chat provider's callbacks, such as `account_update`. */
  event(account: AccountRef, field: string, value: Json): Promise<void>
  decideTemplate(decision: TemplateDecision): Promise<void>
  /** Counts the callbacks that have not been accepted. */
  pendingCallbacks(accounts?: AccountRef[]): Promise<number>
  /** Lists the last 1,000 requests, including rejected ones. */
  requests(): Promise<ReceivedRequest[]>
  /** Deletes messages, callbacks, clock offsets and faults. Numbers, subscriptions, templates and media are kept. */
  reset(): Promise<void>
}

/** The control call is invalid. */
export class ControlError extends Error {}

const inboundHandlers = { chatapp: chatReceive, socialapp: socialReceive, sms: smsReceive }

export async function simulateInbound(
  context: SandboxContext,
  { channel, account }: AccountRef,
  inbound: Inbound,
): Promise<string> {
  try {
    return await inboundHandlers[channel](context, account, inbound)
  } catch (error) {
    if (error instanceof GraphError || error instanceof SmsError) throw new ControlError(error.message)
    throw error
  }
}

async function listSent(
  context: SandboxContext,
  { channel, account }: AccountRef,
  to?: string,
): Promise<SentItem[]> {
  const customer = to === undefined ? undefined : channel === 'socialapp' ? to : toCustomerKey(to)
  const positions = [...context.ledger.newestFirst(channel, account, customer)].reverse()
  const items = await context.ledger.read(positions, ({ entry, payload }) =>
    entry.kind !== 'sent'
      ? undefined
      : {
          providerMessageId: getMessageId(context, entry),
          to: String(entry.metadata.to),
          payload: parseBody(payload.toString('utf8')),
          receivedAt: new Date(entry.at).toISOString(),
        },
  )
  return items.filter(item => item !== undefined)
}

/** Keeps user ids and normalizes phone numbers. */
const toCustomerKey = (to: string): string => (/^[A-Z]{2}\./.test(to) ? to : normalizePhone(to))

async function decideTemplate(context: SandboxContext, decision: TemplateDecision): Promise<void> {
  const { account, name, language, status, reason = 'NONE' } = decision
  const waba = getWaba(context, account)
  if (!findTemplate(context, waba, name, language))
    throw new ControlError(`template ${name} not found in ${language}`)
  const stored = listStoredTemplates(context, waba).find(
    template => template.name === name && template.language === language,
  )!
  await saveTemplate(context, { ...stored, status })
  await emitAccountEvent(context, account, 'message_template_status_update', {
    event: status,
    message_template_id: Number(stored.id),
    message_template_name: name,
    message_template_language: language,
    message_template_category: stored.category,
    reason,
  })
}

async function reset(context: SandboxContext, requests: RequestLog): Promise<void> {
  context.callbacks.clear()
  context.conversations.clear()
  requests.clear()
  await context.ledger.clear()
  const comments = [...context.registry.entries('socialapp/comment/')].map(([key]) => key)
  await Promise.all(comments.map(key => context.registry.put(key, undefined)))
  await Promise.all([context.faults.clear(), context.clock.reset()])
  // Message ids must not be reused, so the epoch advances even if no time has passed.
  const before = context.registry.get<number>('epoch') ?? 0
  await context.registry.put('epoch', Math.max(context.clock.wallNow(), before + 1))
  await context.registry.compact()
}

export function buildControl(context: SandboxContext, requests: RequestLog): SandboxControl {
  return {
    inbound: async (account, inbound) => ({
      providerMessageId: await simulateInbound(context, account, inbound),
    }),
    sent: (account, to) => listSent(context, account, to),
    async advanceClock(seconds, accounts) {
      await context.clock.advance(seconds, accounts)
      context.callbacks.advance(seconds * 1000, accounts)
      const now = accounts?.[0] ? context.clock.now(accounts[0]) : context.clock.sharedNow()
      return { now: new Date(now).toISOString() }
    },
    setFaults: (faults, accounts) => context.faults.set(faults, accounts),
    clearFaults: accounts => context.faults.clear(accounts),
    event: (account, field, value) => emitAccountEvent(context, account.account, field, value),
    decideTemplate: decision => decideTemplate(context, decision),
    pendingCallbacks: async accounts => context.callbacks.countPending(accounts),
    requests: async () => requests.list(),
    reset: () => reset(context, requests),
  }
}
