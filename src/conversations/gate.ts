/** The one gate that every send passes, whoever sends: what it knows will fail is not tried. */
import { optedOutOf } from '../contacts/opt-outs.ts'
import type { Queryable } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { SenderType } from './schemas.ts'
import type { ConversationRow } from './store/conversations.ts'
import { mayCarry, type WindowState } from './window.ts'

export interface Refusal {
  code: string
  message: string
}

export interface Passing {
  tenantId: string
  conversation: Pick<ConversationRow, 'channel' | 'contactId' | 'lastCustomerAt'>
  contentType: string
  senderType: SenderType
  /** It answers a comment: that may be done whether somebody wrote or not. */
  toComment?: boolean
}

/** Why it would not be delivered, or nothing. */
export async function refusalOf(
  deps: Deps,
  passing: Passing,
  on: Queryable = deps.db,
): Promise<Refusal | undefined> {
  const { tenantId, conversation } = passing
  const optedOut = await optedOutOf(on, tenantId, [conversation.contactId], conversation.channel)
  return refusalFor(deps, passing, optedOut.size > 0)
}

/** The same where it is known whether the contact opted out. */
export function refusalFor(
  deps: Pick<Deps, 'channels' | 'clock'>,
  passing: Omit<Passing, 'tenantId'>,
  isOptedOut: boolean,
): Refusal | undefined {
  const { conversation, contentType, senderType } = passing
  if (isOptedOut) return { code: 'opted_out', message: 'the contact does not want messages on this channel' }
  if (passing.toComment) return undefined
  if (!mayCarry(stateOf(deps, conversation), contentType, senderType === 'user', deps.clock.now())) {
    return { code: 'window_closed', message: 'the customer wrote too long ago; send a template' }
  }
  return undefined
}

function stateOf(
  deps: Pick<Deps, 'channels'>,
  { channel, lastCustomerAt }: Passing['conversation'],
): WindowState {
  const alwaysOpen = deps.channels[channel].isLenient
  return { channel, lastCustomerAt, alwaysOpen, optedOut: false, inboxActive: true, ownedByUser: false }
}

/** Only because a person writes: the provider must be told so. */
export function isLate(deps: Deps, conversation: Passing['conversation'], contentType: string): boolean {
  return !mayCarry(stateOf(deps, conversation), contentType, false, deps.clock.now())
}
