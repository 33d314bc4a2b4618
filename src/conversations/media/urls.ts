/** Addresses of files: whoever has one may fetch the file until it expires, without a token. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../platform/deps.ts'

const purpose = 'media-urls'
const shownMs = 5 * 60_000
/** Providers may queue a message for hours before they fetch its file. */
const providerMs = 24 * 3_600_000

export interface Signed {
  tenantId: string
  mediaId: string
  thumbnail: boolean
  /** In seconds since 1970. */
  expires: number
}

type Needed = Pick<Deps, 'keys' | 'clock'>

function sign(key: Buffer, { tenantId, mediaId, thumbnail, expires }: Signed): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([tenantId, mediaId, thumbnail, expires]))
    .digest()
}

function addressOf(deps: Needed, about: Omit<Signed, 'expires'>, forMs: number): string {
  const signed = { ...about, expires: Math.ceil((deps.clock.now().getTime() + forMs) / 1000) }
  const query = new URLSearchParams({
    tenant: signed.tenantId,
    ...(signed.thumbnail ? { variant: 'thumbnail' } : {}),
    expires: String(signed.expires),
    signature: sign(deps.keys.current(purpose), signed).toString('base64url'),
  })
  return `/v1/media/${encodeURIComponent(signed.mediaId)}/content?${query}`
}

/** From the root of our origin, for five minutes. */
export function mediaUrl(deps: Needed, tenantId: string, mediaId: string, thumbnail = false): string {
  return addressOf(deps, { tenantId, mediaId, thumbnail }, shownMs)
}

export function mediaUrlForProvider(
  deps: Needed & Pick<Deps, 'config'>,
  tenantId: string,
  mediaId: string,
): string {
  return `${deps.config.publicUrl}${addressOf(deps, { tenantId, mediaId, thumbnail: false }, providerMs)}`
}

export function isSigned(deps: Needed, signed: Signed, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  const fits = deps.keys.all(purpose).some(key => {
    const wanted = sign(key, signed)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  return fits && signed.expires * 1000 > deps.clock.now().getTime()
}
