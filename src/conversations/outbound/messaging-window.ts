/** Whether somebody may write now, and what: the channel's window after the customer's last message. */
import type { Channel } from '../../platform/channels.ts'
import type { Window } from '../schemas.ts'

const hour = 3_600_000
const day = 24 * hour

/** For agents and for machines; null: always. */
const windowLengths: Record<Channel, { agent: number | null; bot: number | null }> = {
  chatapp: { agent: day, bot: day },
  socialapp: { agent: 7 * day, bot: day },
  sms: { agent: null, bot: null },
}

const contentTypes: Record<Channel, string[]> = {
  chatapp: ['text', 'template', 'media', 'rich', 'contactInfoRequest'],
  socialapp: ['text', 'media', 'rich'],
  sms: ['text', 'media'],
}

export interface WindowState {
  channel: Channel
  lastCustomerAt: string | null
  /** The sandbox, unless it is strict: everybody's window is open. */
  alwaysOpen: boolean
  optedOut: boolean
  inboxActive: boolean
  ownedByUser: boolean
}

function isOpen(state: WindowState, length: number | null, now: number): boolean {
  if (state.alwaysOpen || length === null) return true
  return state.lastCustomerAt !== null && Date.parse(state.lastCustomerAt) + length > now
}

export function buildWindow(state: WindowState, now: Date): Window {
  const { agent, bot } = windowLengths[state.channel]
  const open = isOpen(state, bot, now.getTime())
  const forAgent = isOpen(state, agent, now.getTime())
  const blocked = getBlockingReason(state)
  return {
    open,
    expiresAt: getExpiry(state, bot),
    agent: toCanReply(blocked ?? (forAgent ? null : 'window_closed')),
    bot: toCanReply(blocked ?? (state.ownedByUser ? 'owned_by_user' : open ? null : 'window_closed')),
    allowedContent: blocked ? [] : listAllowedContent(state.channel, forAgent),
  }
}

function getBlockingReason(state: WindowState): 'opted_out' | 'inbox_inactive' | null {
  if (state.optedOut) return 'opted_out'
  return state.inboxActive ? null : 'inbox_inactive'
}

function getExpiry(state: WindowState, length: number | null): string | null {
  if (state.alwaysOpen || length === null || state.lastCustomerAt === null) return null
  return new Date(Date.parse(state.lastCustomerAt) + length).toISOString()
}

/** Outside the window only templates go through, where the channel has them. */
function listAllowedContent(channel: Channel, open: boolean): string[] {
  return contentTypes[channel].filter(type => open || type === 'template')
}

function toCanReply(reason: Window['agent']['reason']): Window['agent'] {
  return { canReply: reason === null, reason }
}

/** Whether this content may go out now. */
export function isContentAllowed(
  state: WindowState,
  contentType: string,
  byPerson: boolean,
  now: Date,
): boolean {
  if (contentType === 'template') return true
  const { agent, bot } = windowLengths[state.channel]
  return isOpen(state, byPerson ? agent : bot, now.getTime())
}
