/** How long a text may be, in the unit of the channel: the service refuses a longer one. */
import { screenTexts } from '../../i18n/i18n.ts'
import type { Channel } from '../channels.ts'

const en = {
  characters: (length: number, max: number) => `${length} of ${max} characters`,
  bytes: (length: number, max: number) => `${length} of ${max} bytes`,
  tooLong: (size: string) => `Too long: ${size}`,
}

const de: typeof en = {
  characters: (length, max) => `${length} von ${max} Zeichen`,
  bytes: (length, max) => `${length} von ${max} Bytes`,
  tooLong: size => `Zu lang: ${size}`,
}

const texts = screenTexts(en, de)

const maxLengths: Record<Channel, number> = { chatapp: 4_096, socialapp: 1_000, sms: 1_600, webchat: 4_096 }
const maxNote = 10_000
const maxCaption = 1_024

/** Whether the text is sent with the first file, as its caption. */
export const hasCaptions = (channel: Channel) => channel !== 'socialapp'

interface Writing {
  channel: Channel
  isNote: boolean
  hasFiles: boolean
}

export interface TextSize {
  isTooLong: boolean
  /** Shown near the limit. */
  hint: string | undefined
}

export function measureText(text: string, { channel, isNote, hasFiles }: Writing): TextSize {
  const body = text.trim()
  const isBytes = channel === 'socialapp' && !isNote
  const isCaption = !isNote && hasFiles && hasCaptions(channel)
  const max = isNote ? maxNote : isCaption ? maxCaption : maxLengths[channel]
  const length = isBytes ? new TextEncoder().encode(body).length : [...body].length
  const size = isBytes ? texts().bytes(length, max) : texts().characters(length, max)
  const isTooLong = length > max
  return { isTooLong, hint: isTooLong ? texts().tooLong(size) : length > max * 0.8 ? size : undefined }
}
