/** Minimal valid sample files for simulated customers who send media without a file. */
import type { InboundMedia } from '../schemas.ts'

type Kind = NonNullable<InboundMedia['kind']>

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function oggOpus(): Buffer {
  const head = Buffer.alloc(47)
  head.write('OggS', 0)
  head[5] = 2
  head[26] = 1
  head[27] = 19
  head.write('OpusHead', 28)
  head[36] = 1
  head[37] = 1
  head.writeUInt32LE(48_000, 40)
  return head
}

function mp4(): Buffer {
  const box = Buffer.alloc(40)
  box.writeUInt32BE(32, 0)
  box.write('ftypisom', 4)
  box.writeUInt32BE(512, 12)
  box.write('isomiso2avc1mp41', 16)
  box.writeUInt32BE(8, 32)
  box.write('free', 36)
  return box
}

function webp(): Buffer {
  return Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
}

const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

export const samples: Record<Kind, { mimeType: string; filename?: string; bytes: () => Buffer }> = {
  image: { mimeType: 'image/png', bytes: () => Buffer.from(pixel, 'base64') },
  video: { mimeType: 'video/mp4', bytes: mp4 },
  audio: { mimeType: 'audio/ogg; codecs=opus', bytes: oggOpus },
  document: { mimeType: 'application/pdf', filename: 'document.pdf', bytes: () => Buffer.from(pdf) },
  sticker: { mimeType: 'image/webp', bytes: webp },
}

export function toMediaKind(mimeType: string): Kind {
  const major = mimeType.split('/')[0]
  return major === 'image' || major === 'video' || major === 'audio' ? major : 'document'
}

export function buildFile(media: InboundMedia): {
  kind: Kind
  mimeType: string
  filename: string | undefined
  bytes: Buffer
} {
  const kind = media.kind ?? (media.mimeType ? toMediaKind(media.mimeType) : 'image')
  const sample = samples[kind]
  return {
    kind,
    mimeType: media.mimeType ?? sample.mimeType,
    filename: media.filename ?? sample.filename,
    bytes: media.base64 === undefined ? sample.bytes() : Buffer.from(media.base64, 'base64'),
  }
}
