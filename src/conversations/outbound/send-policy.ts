/**
 * Send policy: whether a message may go to a recipient now, and why not. The rules are written once, in terms of `Logic`,
 * and evaluated in two ways: in TypeScript for one recipient whose facts were read, and as an SQL expression in statements
 * about many recipients.
 */
import { findRefusals } from '../../contacts/opt-outs.ts'
import type { Channel } from '../../platform/config.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { join, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import type { SenderType } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { windowLengths } from './window-lengths.ts'

export type SendBlock = 'archived' | 'opted_out' | 'no_identity' | 'window_closed'

/** Properties of the message, the same for all its recipients. */
export interface SendTerms {
  channel: Channel
  contentType: string
  /** Written by a user, not by an automation. */
  byUser: boolean
  /** A private reply to a comment, which the provider accepts outside the window. */
  isCommentReply?: boolean
  /** The lenient sandbox: every window is open. */
  alwaysOpen: boolean
  now: Date
}

/** Facts about one recipient: their values, or SQL expressions for them. */
export interface RecipientFacts<Condition = boolean, Time = string | null> {
  isArchived: Condition
  isOptedOut: Condition
  hasAddress: Condition
  lastCustomerAt: Time
}

/** The operations in which the rules are written. */
interface Logic<Condition, Time> {
  constant(value: boolean): Condition
  not(condition: Condition): Condition
  /** False where there is no time. */
  isAfter(time: Time, limit: Date): Condition
}

const inTypeScript: Logic<boolean, string | null> = {
  constant: value => value,
  not: condition => !condition,
  isAfter: (time, limit) => time !== null && Date.parse(time) > limit.getTime(),
}

const inSql: Logic<Sql, Sql> = {
  constant: value => raw(String(value)),
  not: condition => sql`not (${condition})`,
  isAfter: (time, limit) => sql`coalesce(${time} > ${limit.toISOString()}::timestamptz, false)`,
}

/** In order: the first condition that holds is the reason reported. */
function buildRules<C, T>(
  logic: Logic<C, T>,
  facts: RecipientFacts<C, T>,
  terms: SendTerms,
): [SendBlock, C][] {
  return [
    ['archived', facts.isArchived],
    ['opted_out', facts.isOptedOut],
    ['no_identity', logic.not(facts.hasAddress)],
    ['window_closed', logic.not(isInWindow(logic, facts.lastCustomerAt, terms))],
  ]
}

function isInWindow<C, T>(logic: Logic<C, T>, lastCustomerAt: T, terms: SendTerms): C {
  const lengthMs = getWindowMs(terms)
  if (lengthMs === null || terms.contentType === 'template' || terms.isCommentReply)
    return logic.constant(true)
  return logic.isAfter(lastCustomerAt, new Date(terms.now.getTime() - lengthMs))
}

/** Null where free-form content may always be sent. */
function getWindowMs({ channel, byUser, alwaysOpen }: Pick<SendTerms, 'channel' | 'byUser' | 'alwaysOpen'>) {
  return alwaysOpen ? null : windowLengths[channel][byUser ? 'agent' : 'automated']
}

/** Returns why the message must not go to this recipient; undefined when it may. */
export function findSendBlock(facts: RecipientFacts, terms: SendTerms): SendBlock | undefined {
  return buildRules(inTypeScript, facts, terms).find(([, isBlocked]) => isBlocked)?.[0]
}

/** Builds an SQL expression with the result of `findSendBlock` for the facts of each row; null when it may be sent. */
export function buildSendBlockSql(facts: RecipientFacts<Sql, Sql>, terms: SendTerms): Sql {
  const branches = buildRules(inSql, facts, terms).map(
    ([block, condition]) => sql`when ${condition} then ${raw(`'${block}'`)}`,
  )
  return sql`case ${join(branches, ' ')} end`
}

/** Whether the terms let the message go to a customer who wrote last at this time. */
export function isWindowOpen(lastCustomerAt: string | null, terms: SendTerms): boolean {
  return isInWindow(inTypeScript, lastCustomerAt, terms)
}

export interface Refusal {
  code: string
  message: string
}

const messages: Record<SendBlock, string> = {
  archived: 'the contact is archived',
  opted_out: 'the contact opted out of messages on this channel',
  no_identity: 'the contact has no address on this channel',
  window_closed: 'the messaging window is closed; send a template',
}

export interface SendAttempt {
  /** The contact is null when it is not known yet. */
  conversation: Pick<ConversationRow, 'channel' | 'lastCustomerAt'> & { contactId: string | null }
  contentType: string
  senderType: SenderType
  isCommentReply?: boolean
}

/** Returns why a message to a conversation would not be delivered; undefined when the policy allows it. */
export async function checkSend(
  deps: Deps,
  tenantId: string,
  attempt: SendAttempt,
  on: Queryable = deps.db,
): Promise<Refusal | undefined> {
  const { contactId, channel } = attempt.conversation
  const { isArchived, isOptedOut } =
    contactId === null ? allowed : await findRefusals(on, tenantId, contactId, channel)
  const isAutomated = attempt.senderType === 'journey' || attempt.senderType === 'bot'
  return evaluateSend(deps, attempt, isOptedOut, isArchived && isAutomated)
}

const allowed = { isArchived: false, isOptedOut: false }

/** Does the same where the facts about the contact are known. Only automations must not write to archived contacts. */
export function evaluateSend(
  deps: Pick<Deps, 'channels' | 'clock'>,
  attempt: SendAttempt,
  isOptedOut: boolean,
  isArchived = false,
): Refusal | undefined {
  const { lastCustomerAt } = attempt.conversation
  const facts = { isArchived, isOptedOut, hasAddress: true, lastCustomerAt }
  const block = findSendBlock(facts, buildTerms(deps, attempt))
  return block && { code: block, message: messages[block] }
}

function buildTerms({ channels, clock }: Pick<Deps, 'channels' | 'clock'>, attempt: SendAttempt): SendTerms {
  const { conversation, senderType, ...terms } = attempt
  const { channel } = conversation
  const alwaysOpen = channels[channel].isLenient
  return { ...terms, channel, byUser: senderType === 'user', alwaysOpen, now: clock.now() }
}

/** Whether only a user may still send this: the provider must be informed of it. */
export function isOutsideWindow(
  deps: Pick<Deps, 'channels' | 'clock'>,
  conversation: SendAttempt['conversation'],
  contentType: string,
): boolean {
  const terms = buildTerms(deps, { conversation, contentType, senderType: 'bot' })
  return !isWindowOpen(conversation.lastCustomerAt, terms)
}
