/** What a file is by its first bytes. A name and a declared type are claims; only this table decides. */

export type MediaType = 'image' | 'document' | 'video' | 'audio'

const startsWith = (head: Buffer, bytes: number[] | string, at = 0): boolean => {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
  return head.length >= at + wanted.length && head.subarray(at, at + wanted.length).equals(wanted)
}

const fixed: [mimeType: string, bytes: number[] | string][] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['application/pdf', '%PDF-'],
  ['application/rtf', '{\\rtf'],
  ['application/gzip', [0x1f, 0x8b, 0x08]],
  ['application/x-7z-compressed', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['application/vnd.rar', 'Rar!\x1a\x07'],
  ['audio/mpeg', 'ID3'],
  ['audio/amr', '#!AMR'],
  ['audio/flac', 'fLaC'],
]

/** Files that are made of chunks, by what the container says it holds. */
function container(head: Buffer): string | undefined {
  if (startsWith(head, 'ftyp', 4)) return isoMedia(head.toString('latin1', 8, 12))
  if (startsWith(head, 'RIFF'))
    return { WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/x-msvideo' }[
      head.toString('latin1', 8, 12)
    ]
  if (startsWith(head, 'OggS')) return head.includes('\x80theora', 0, 'latin1') ? 'video/ogg' : 'audio/ogg'
  if (startsWith(head, [0x1a, 0x45, 0xdf, 0xa3]))
    return head.subarray(0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska'
  return undefined
}

function isoMedia(brand: string): string {
  if (/^M4[ABP] $/.test(brand)) return 'audio/mp4'
  if (/^(heic|heix|hevc|hevx|mif1|msf1)$/.test(brand)) return 'image/heic'
  if (/^avi[fs]$/.test(brand)) return 'image/avif'
  if (/^3g/.test(brand)) return 'video/3gpp'
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
}

/** Streams without a head: a frame begins with eleven set bits. */
function frames(head: Buffer): string | undefined {
  const [first = 0, second = 0, third = 0] = head
  if (head.length < 4 || first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  if ((second & 0xf6) === 0xf0) return 'audio/aac'
  const sound =
    (second & 0x18) !== 0x08 && (second & 0x06) !== 0 && third >> 4 !== 0x0f && (third & 0x0c) !== 0x0c
  return sound ? 'audio/mpeg' : undefined
}

const openXml = 'application/vnd.openxmlformats-officedocument'
const officeFolders: [folder: string, extension: string, mimeType: string][] = [
  ['word/', 'docx', `${openXml}.wordprocessingml.document`],
  ['xl/', 'xlsx', `${openXml}.spreadsheetml.sheet`],
  ['ppt/', 'pptx', `${openXml}.presentationml.presentation`],
]

/** Office files are archives: told apart by what lies in them, and by name where that is further in. */
function archive(head: Buffer, extension: string): string | undefined {
  if (!startsWith(head, 'PK\x03\x04') && !startsWith(head, 'PK\x05\x06')) return undefined
  const text = head.toString('latin1')
  const openDocument = /mimetype(application\/vnd\.oasis\.opendocument\.[a-z]+)/.exec(text)
  if (openDocument) return openDocument[1]
  if (!text.includes('[Content_Types].xml') && !text.includes('_rels/')) return 'application/zip'
  const office =
    officeFolders.find(([folder]) => text.includes(folder)) ??
    officeFolders.find(([, known]) => known === extension)
  return office?.[2] ?? 'application/zip'
}

const oldOffice: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}

/** How much of a file this needs to see. */
export const headBytes = 4_096

export function detectSignature(head: Buffer, extension: string): string | undefined {
  const known = fixed.find(([, bytes]) => startsWith(head, bytes))
  if (known) return known[0]
  if (startsWith(head, 'BM') && head.length >= 18 && head.readUInt32LE(6) === 0) return 'image/bmp'
  if (startsWith(head, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))
    return oldOffice[extension] ?? 'application/x-cfb'
  return container(head) ?? archive(head, extension) ?? frames(head)
}

const tags =
  'html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|img|object|embed|form|input|video|audio|math|meta|link|base'
const markup = new RegExp(
  `^(?:\\ufeff|\\s)*(?:<(?:${tags})(?:[\\s/>]|$)|<!doctype|<!--|<\\?xml|<\\?php)`,
  'i',
)

/** What a browser could take for a page or a drawing that runs scripts. */
export function isMarkup(head: Buffer): boolean {
  const utf16 = startsWith(head, [0xff, 0xfe]) ? 'utf16le' : undefined
  return markup.test(head.toString(utf16 ?? 'utf8'))
}

export function toMediaType(mimeType: string): MediaType {
  const kind = mimeType.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document'
}
