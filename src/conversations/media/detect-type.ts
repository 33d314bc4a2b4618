/**
 * Detects the type of a file from its first bytes. The file name and the declared type are claims: a claim to be an
 * image, audio or video must be true.
 */
import { fileTypeFromBuffer } from 'file-type'

export type MediaType = 'image' | 'document' | 'video' | 'audio'

/** How many bytes of a file the detection needs. */
export const headBytes = 4_096

export interface DeclaredFile {
  filename: string
  /** Content type declared by the sender. */
  declared: string
}

export interface DetectedType {
  mimeType: string
  mediaType: MediaType
  /** Without a signature: all of the file must be UTF-8. */
  isText?: boolean
}

export type DetectionResult = DetectedType | { refused: string }

const typesByExtension: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heic',
  avif: 'image/avif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  '3gp': 'video/3gpp',
  '3g2': 'video/3gpp',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  amr: 'audio/amr',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

const typeAliases: Record<string, string> = {
  'image/apng': 'image/png',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/x-ms-bmp': 'image/bmp',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'video/3gp': 'video/3gpp',
  'video/3gpp2': 'video/3gpp',
  'video/x-m4v': 'video/mp4',
  'video/avi': 'video/x-msvideo',
  'video/vnd.avi': 'video/x-msvideo',
  'video/matroska': 'video/x-matroska',
  'application/x-rar-compressed': 'application/vnd.rar',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
}

/** Types of one container format; whether it has pictures is known only far inside the file. */
const containerFamilies = [
  ['video/mp4', 'audio/mp4', 'video/quicktime', 'video/3gpp', 'audio/3gpp'],
  ['video/webm', 'audio/webm', 'video/x-matroska'],
  ['video/ogg', 'audio/ogg'],
]

export function getExtension(filename: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}

function normalizeType(declared: string): string {
  const type = declared.split(';')[0]!.trim().toLowerCase()
  return typeAliases[type] ?? type
}

const isMedia = (mimeType: string | undefined): mimeType is string =>
  mimeType !== undefined && /^(image|audio|video)\//.test(mimeType)

const isDeclaredMarkup = ({ filename, declared }: DeclaredFile): boolean =>
  /^(x?html?|xht|svgz?|mht|mhtml)$/.test(getExtension(filename)) ||
  /^(text\/html|application\/xhtml\+xml|image\/svg(\+xml)?|multipart\/related)$/.test(normalizeType(declared))

/** Detects the type of an upload; refuses it with a reason. */
export async function detectType(head: Buffer, declaredFile: DeclaredFile): Promise<DetectionResult> {
  const extension = getExtension(declaredFile.filename)
  if (isDeclaredMarkup(declaredFile) || isMarkup(head))
    return { refused: 'HTML, SVG and XML files are not accepted' }
  const found = await detectSignature(head, extension)
  const claims = [normalizeType(declaredFile.declared), typesByExtension[extension]].filter(isMedia)
  if (!found)
    return claims.length > 0
      ? { refused: `the file is not ${claims[0]}` }
      : detectText(declaredFile, extension)
  let mimeType = found
  for (const claim of claims) {
    if (claim === found) continue
    if (!containerFamilies.some(family => family.includes(claim) && family.includes(found)))
      return { refused: `the file is ${found}, not ${claim}` }
    mimeType = claim
  }
  return { mimeType, mediaType: toMediaType(mimeType) }
}

const textTypes: Record<string, string> = { txt: 'text/plain', csv: 'text/csv' }

/** Any bytes could be text, so both the file name and the declared type must say so. */
function detectText({ declared }: DeclaredFile, extension: string): DetectionResult {
  const named = textTypes[extension]
  if (!named || !/^text\/(plain|csv)$/.test(normalizeType(declared)))
    return { refused: 'the file is not a supported image, document, video or audio' }
  return { mimeType: named, mediaType: 'document', isText: true }
}

/** Detects the type of a customer's file, which is never refused: an unknown type becomes a binary document. */
export async function detectInboundType(head: Buffer, declaredFile: DeclaredFile): Promise<DetectedType> {
  const result = await detectType(head, declaredFile)
  if (!('refused' in result)) return { mimeType: result.mimeType, mediaType: result.mediaType }
  const found = isMarkup(head) ? undefined : await detectSignature(head, getExtension(declaredFile.filename))
  const mimeType = found ?? 'application/octet-stream'
  return { mimeType, mediaType: toMediaType(mimeType) }
}

const openXml = 'application/vnd.openxmlformats-officedocument'
const officeTypes: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${openXml}.wordprocessingml.document`,
  xlsx: `${openXml}.spreadsheetml.sheet`,
  pptx: `${openXml}.presentationml.presentation`,
}
const acceptedTypes = new Set([
  ...Object.values(typesByExtension),
  'application/pdf',
  'application/rtf',
  'application/gzip',
  'application/x-7z-compressed',
  'application/vnd.rar',
  'application/zip',
  'application/x-cfb',
])
const officeType = /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\./

/** Returns undefined for types that are not accepted, such as programs. */
async function detectSignature(head: Buffer, extension: string): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(head)
  if (!detected) return undefined
  const mimeType = normalizeType(detected.mime)
  if (mimeType === 'application/x-cfb') return officeTypes[extension] ?? mimeType
  // The part that names the type of an office file may be beyond the first bytes.
  const isOffice =
    mimeType === 'application/zip' && /\[Content_Types\]\.xml|_rels\//.test(head.toString('latin1'))
  if (isOffice && extension.endsWith('x')) return officeTypes[extension] ?? mimeType
  return acceptedTypes.has(mimeType) || officeType.test(mimeType) ? mimeType : undefined
}

const tags =
  'html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|img|object|embed|form|input|video|audio|math|meta|link|base'
const markup = new RegExp(
  `^(?:\\ufeff|\\s)*(?:<(?:${tags})(?:[\\s/>]|$)|<!doctype|<!--|<\\?xml|<\\?php)`,
  'i',
)

/** Whether a browser could interpret the file as a page or a drawing with scripts. */
function isMarkup(head: Buffer): boolean {
  const isUtf16 = head[0] === 0xff && head[1] === 0xfe
  return markup.test(head.toString(isUtf16 ? 'utf16le' : 'utf8'))
}

function toMediaType(mimeType: string): MediaType {
  const kind = mimeType.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document'
}
