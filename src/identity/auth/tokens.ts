/**
 * Formats of API keys, refresh tokens and access tokens. An API key has a checksum, so that typos are refused without a
 * query. Only hashes of keys and refresh tokens are stored. Keys and tokens name their workspace, which is no secret.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../platform/clock.ts'
import type { Keys } from '../../platform/encryption/keys.ts'
import { toTokenScope } from '../../platform/http/locate.ts'

export const accessTokenSeconds = 15 * 60
/** Processes with the database's clock differ by less. */
export const clockToleranceSeconds = 5

export const apiKeyPrefix = 'pk_'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns random base62 text without bias: bytes beyond the last multiple of 62 are discarded. */
function randomText(length: number): string {
  let out = ''
  while (out.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && out.length < length) out += base62[byte % 62]
  }
  return out
}

function checksum(text: string): string {
  const digest = createHash('sha256').update(text).digest()
  return [...digest.subarray(0, 6)].map(byte => base62[byte % 62]).join('')
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export interface NewApiKey {
  key: string
  keyPrefix: string
  hash: Buffer
}

export function generateApiKey(tenantId: string): NewApiKey {
  const keyPrefix = `pk_${randomText(8)}`
  const body = `${keyPrefix}_${toTokenScope(tenantId)}_${randomText(40)}`
  const key = body + checksum(body)
  return { key, keyPrefix, hash: hashSecret(key) }
}

export function isApiKey(token: string): boolean {
  const hasForm = /^pk_[0-9A-Za-z]{8}_([0-9a-z]{26}_)?[0-9A-Za-z]{46}$/.test(token)
  return hasForm && checksum(token.slice(0, -6)) === token.slice(-6)
}

export function generateSecretToken(prefix: string, tenantId: string): { token: string; hash: Buffer } {
  const token = `${prefix}_${toTokenScope(tenantId)}_${randomText(43)}`
  return { token, hash: hashSecret(token) }
}

export interface AccessClaims {
  tenantId: string
  userId: string
  sessionId: string
}

export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>
  verify(token: string): Promise<AccessClaims | undefined>
}

// An Ed25519 private key in PKCS #8 is this header and the 32-byte seed.
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')

function toSigningKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' })
}

/** The issuer of our own access tokens. */
export const issuer = 'parley'

export function createAccessTokens(keys: Keys, clock: Clock): AccessTokens {
  const privateKey = toSigningKey(keys.current('access-tokens'))
  const publicKey = createPublicKey(privateKey)
  return {
    issue: ({ tenantId, userId, sessionId }) => {
      const now = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT({ tid: tenantId, sid: sessionId })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(userId)
        .setIssuedAt(now)
        .setExpirationTime(now + accessTokenSeconds)
        .sign(privateKey)
    },
    verify: async token => {
      try {
        const now = clock.now()
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          algorithms: ['EdDSA'],
          currentDate: now,
          requiredClaims: ['exp'],
        })
        // No token lives longer than those issued here, whatever it claims.
        if (payload.exp! - now.getTime() / 1000 > accessTokenSeconds + clockToleranceSeconds) return undefined
        return {
          tenantId: String(payload.tid),
          userId: String(payload.sub),
          sessionId: String(payload.sid),
        }
      } catch {
        return undefined // not signed with the current key, altered, or expired
      }
    },
  }
}
