/** The messaging window of a conversation as the API shows it: whether an agent and a bot may reply now, and with what. */
import { supportedTypes } from '../../inboxes/capabilities/content.ts'
import type { Channel } from '../../platform/config.ts'
import type { Window } from '../schemas.ts'
import { isWindowOpen } from './send-policy.ts'
import { getWindowExpiry } from './window-lengths.ts'

export interface WindowState {
  channel: Channel
  lastCustomerAt: string | null
  /** The lenient sandbox: every window is open. */
  alwaysOpen: boolean
  optedOut: boolean
  inboxActive: boolean
  ownedByUser: boolean
}

export function buildWindow(state: WindowState, now: Date): Window {
  const { channel, lastCustomerAt, alwaysOpen } = state
  const isOpenFor = (byUser: boolean) =>
    isWindowOpen(lastCustomerAt, { channel, contentType: 'text', byUser, alwaysOpen, now })
  const open = isOpenFor(false)
  const openForAgent = isOpenFor(true)
  const blocked = getBlockingReason(state)
  return {
    open,
    expiresAt: getExpiry(state),
    agent: toCanReply(blocked ?? (openForAgent ? null : 'window_closed')),
    bot: toCanReply(blocked ?? (state.ownedByUser ? 'owned_by_user' : open ? null : 'window_closed')),
    // Outside the window a channel delivers templates only, if it has templates.
    allowedContent: blocked
      ? []
      : supportedTypes[channel].filter(type => openForAgent || type === 'template'),
  }
}

function getBlockingReason(state: WindowState): 'opted_out' | 'inbox_inactive' | null {
  if (state.optedOut) return 'opted_out'
  return state.inboxActive ? null : 'inbox_inactive'
}

function getExpiry({ channel, alwaysOpen, lastCustomerAt }: WindowState): string | null {
  return alwaysOpen ? null : getWindowExpiry(channel, lastCustomerAt)
}

function toCanReply(reason: Window['agent']['reason']): Window['agent'] {
  return { canReply: reason === null, reason }
}
