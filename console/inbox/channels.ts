/** Names and icons of the channels. */
import { CameraIcon, type Icon, MessageIcon, PhoneIcon } from '../ui/icons.tsx'
import type { Conversation } from './state/views.ts'

export type Channel = Conversation['channel']

export const channelIcons: Record<Channel, Icon> = {
  chatapp: MessageIcon,
  socialapp: CameraIcon,
  sms: PhoneIcon,
}

export const channelNames: Record<Channel, string> = { chatapp: 'Chat', socialapp: 'Social', sms: 'SMS' }
