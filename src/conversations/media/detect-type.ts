/** What a file is called against what it is. A claim to be an image, sound or film has to be true. */
import { detectSignature, isMarkup, type MediaType, toMediaType } from './signatures.ts'

export interface DeclaredFile {
  filename: string
  /** The content type that came along. */
  declared: string
}

export interface DetectedType {
  mimeType: string
  mediaType: MediaType
  /** Has no signature: the rest of it must be UTF-8 as well. */
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
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/x-ms-bmp': 'image/bmp',
  'image/heif': 'image/heic',
  'video/3gp': 'video/3gpp',
  'video/3gpp2': 'video/3gpp',
  'video/x-m4v': 'video/mp4',
  'video/avi': 'video/x-msvideo',
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

/** One container, several names: only what is far inside would tell whether there are pictures in it. */
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

/** By the first bytes of an upload; whoever uploads is told what does not fit. */
export function detectType(head: Buffer, declaredFile: DeclaredFile): DetectionResult {
  const extension = getExtension(declaredFile.filename)
  if (isDeclaredMarkup(declaredFile) || isMarkup(head)) return { refused: 'HTML, SVG and XML are not taken' }
  const found = detectSignature(head, extension)
  const claims = [normalizeType(declaredFile.declared), typesByExtension[extension]].filter(isMedia)
  if (!found)
    return claims.length > 0 ? { refused: `it is not ${claims[0]}` } : detectText(declaredFile, extension)
  let mimeType = found
  for (const claim of claims) {
    if (claim === found) continue
    if (!containerFamilies.some(family => family.includes(claim) && family.includes(found)))
      return { refused: `it is ${found}, not ${claim}` }
    mimeType = claim
  }
  return { mimeType, mediaType: toMediaType(mimeType) }
}

const textTypes: Record<string, string> = { txt: 'text/plain', csv: 'text/csv' }

/** Anything could be text: both its name and its type have to say so. */
function detectText({ declared }: DeclaredFile, extension: string): DetectionResult {
  const named = textTypes[extension]
  if (!named || !/^text\/(plain|csv)$/.test(normalizeType(declared)))
    return { refused: 'it is no image, document, video or audio that is known here' }
  return { mimeType: named, mediaType: 'document', isText: true }
}

/** A customer's file is kept whatever it is: what is not known is a document that nothing opens by itself. */
export function detectInboundType(head: Buffer, declaredFile: DeclaredFile): DetectedType {
  const verdict = detectType(head, declaredFile)
  if (!('refused' in verdict)) return { mimeType: verdict.mimeType, mediaType: verdict.mediaType }
  const found = isMarkup(head) ? undefined : detectSignature(head, getExtension(declaredFile.filename))
  const mimeType = found ?? 'application/octet-stream'
  return { mimeType, mediaType: toMediaType(mimeType) }
}
