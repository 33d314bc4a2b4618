/** Signed URLs of files: they allow the download without a token until they expire. */
import { createHmac } from 'node:crypto'
import type { Deps } from '../../platform/deps.ts'
import { isSameSecret } from '../../platform/encryption/keys.ts'

const purpose = 'media-urls'
const clientTtlMs = 5 * 60_000
/** Providers may queue a message for hours before they fetch its file. */
const providerTtlMs = 24 * 3_600_000

export interface SignedMediaUrl {
  tenantId: string
  mediaId: string
  thumbnail: boolean
  /** In seconds since 1970. */
  expires: number
}

type UrlDeps = Pick<Deps, 'keys' | 'clock'>

function sign(key: Buffer, { tenantId, mediaId, thumbnail, expires }: SignedMediaUrl): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([tenantId, mediaId, thumbnail, expires]))
    .digest()
}

function buildSignedUrl(deps: UrlDeps, file: Omit<SignedMediaUrl, 'expires'>, forMs: number): string {
  const signed = { ...file, expires: Math.ceil((deps.clock.now().getTime() + forMs) / 1000) }
  const query = new URLSearchParams({
    tenant: signed.tenantId,
    ...(signed.thumbnail ? { variant: 'thumbnail' } : {}),
    expires: String(signed.expires),
    signature: sign(deps.keys.current(purpose), signed).toString('base64url'),
  })
  return `/v1/media/${encodeURIComponent(signed.mediaId)}/content?${query}`
}

/** Returns a path of this service, valid for five minutes. */
export function mediaUrl(deps: UrlDeps, tenantId: string, mediaId: string, thumbnail = false): string {
  return buildSignedUrl(deps, { tenantId, mediaId, thumbnail }, clientTtlMs)
}

/** Returns a path of this service, valid for a day: a visitor may keep a chat open. */
export function mediaUrlForVisitor(deps: UrlDeps, tenantId: string, mediaId: string): string {
  return buildSignedUrl(deps, { tenantId, mediaId, thumbnail: false }, providerTtlMs)
}

export function mediaUrlForProvider(
  deps: UrlDeps & Pick<Deps, 'config'>,
  tenantId: string,
  mediaId: string,
): string {
  return `${deps.config.publicUrl}${buildSignedUrl(deps, { tenantId, mediaId, thumbnail: false }, providerTtlMs)}`
}

export function isSignatureValid(deps: UrlDeps, signed: SignedMediaUrl, signature: string): boolean {
  const leftMs = signed.expires * 1000 - deps.clock.now().getTime()
  const isMatch = isSameSecret(Buffer.from(signature, 'base64url'), sign(deps.keys.current(purpose), signed))
  return isMatch && leftMs > 0 && leftMs < providerTtlMs + 5_000
}
