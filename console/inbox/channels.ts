/** Names and icons of the channels. */
import type { Schemas } from '../api/client.ts'
import { CameraIcon, GlobeIcon, type Icon, MessageIcon, PhoneIcon } from '../ui/controls/icons.tsx'

export type Channel = Schemas['Conversation']['channel']

export const channelIcons: Record<Channel, Icon> = {
  chatapp: MessageIcon,
  socialapp: CameraIcon,
  sms: PhoneIcon,
  webchat: GlobeIcon,
}

export const channelNames: Record<Channel, string> = {
  chatapp: 'Chat',
  socialapp: 'Social',
  sms: 'SMS',
  webchat: 'Web',
}

export const channels = Object.keys(channelNames) as readonly Channel[]

export const hasReactions = (channel: Channel): boolean => channel === 'chatapp' || channel === 'socialapp'
