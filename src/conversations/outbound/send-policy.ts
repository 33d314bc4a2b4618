/** The one gate that every send passes, whoever sends: what it knows will fail is not tried. */
import { listOptedOut } from '../../contacts/opt-outs.ts'
import type { Queryable } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import type { SenderType } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations.ts'
import { isContentAllowed, type WindowState } from './messaging-window.ts'

export interface Refusal {
  code: string
  message: string
}

export interface SendAttempt {
  tenantId: string
  conversation: Pick<ConversationRow, 'channel' | 'contactId' | 'lastCustomerAt'>
  contentType: string
  senderType: SenderType
  /** It answers a comment: that may be done whether somebody wrote or not. */
  isCommentReply?: boolean
}

/** Why it would not be delivered, or nothing. */
export async function checkSend(
  deps: Deps,
  passing: SendAttempt,
  on: Queryable = deps.db,
): Promise<Refusal | undefined> {
  const { tenantId, conversation } = passing
  const optedOut = await listOptedOut(on, tenantId, [conversation.contactId], conversation.channel)
  return evaluateSend(deps, passing, optedOut.size > 0)
}

/** The same where it is known whether the contact opted out. */
export function evaluateSend(
  deps: Pick<Deps, 'channels' | 'clock'>,
  passing: Omit<SendAttempt, 'tenantId'>,
  isOptedOut: boolean,
): Refusal | undefined {
  const { conversation, contentType, senderType } = passing
  if (isOptedOut) return { code: 'opted_out', message: 'the contact does not want messages on this channel' }
  if (passing.isCommentReply) return undefined
  if (
    !isContentAllowed(toWindowState(deps, conversation), contentType, senderType === 'user', deps.clock.now())
  ) {
    return { code: 'window_closed', message: 'the customer wrote too long ago; send a template' }
  }
  return undefined
}

function toWindowState(
  deps: Pick<Deps, 'channels'>,
  { channel, lastCustomerAt }: SendAttempt['conversation'],
): WindowState {
  const alwaysOpen = deps.channels[channel].isLenient
  return { channel, lastCustomerAt, alwaysOpen, optedOut: false, inboxActive: true, ownedByUser: false }
}

/** Only because a person writes: the provider must be told so. */
export function isOutsideWindow(
  deps: Deps,
  conversation: SendAttempt['conversation'],
  contentType: string,
): boolean {
  return !isContentAllowed(toWindowState(deps, conversation), contentType, false, deps.clock.now())
}
