/** File types and sizes that each channel supports. Checked before the provider would reject them. */
import type { Channel } from '../../platform/config.ts'
import type { MediaFile } from '../providers/provider.ts'

export type FileInfo = Pick<MediaFile, 'mimeType' | 'mediaType' | 'size'>

const megabyte = 1_000_000
const openXml = 'application/vnd.openxmlformats-officedocument'

const chatappTypes = [
  'image/jpeg',
  'image/png',
  'video/mp4',
  'video/3gpp',
  'audio/aac',
  'audio/amr',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'text/plain',
  'text/csv',
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  `${openXml}.wordprocessingml.document`,
  `${openXml}.spreadsheetml.sheet`,
  `${openXml}.presentationml.presentation`,
]

/** Returns why the channel does not support the file, or undefined. */
export function findFileViolation(
  channel: Channel,
  { mimeType, mediaType, size }: FileInfo,
): string | undefined {
  if (channel === 'chatapp')
    return chatappTypes.includes(mimeType) ? undefined : `chatapp does not support ${mimeType}`
  // Uploads are limited already, to the same sizes for visitors and users.
  if (channel === 'webchat') return undefined
  const max = channel === 'sms' ? 5 : mediaType === 'image' ? 8 : 25
  return size > max * megabyte ? `${channel} accepts at most ${max} MB of ${mediaType}` : undefined
}
