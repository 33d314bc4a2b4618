/** How fast an inbox may send: what the operator says, else the provider, else what the channel's documents say. */
import type { Channel } from '../platform/config.ts'
import type { ChannelSettings } from './channels.ts'

/** The sandbox tells the chat numbers' rates when it plays them; the others it leaves to its own queues. */
const defaultRates: Record<Channel, number> = { chatapp: 80, socialapp: 100, sms: 1 }

export function resolveRate(
  settings: ChannelSettings,
  channel: Channel,
  reported: number | undefined,
): number | null {
  if (settings.rate !== undefined) return settings.rate
  if (settings.isSandbox) return channel === 'chatapp' ? (reported ?? null) : null
  return reported ?? defaultRates[channel]
}
