/** Encrypts the message of a push (RFC 8291, one record of RFC 8188) and signs the sender's identity (RFC 8292). */
import {
  createCipheriv,
  createECDH,
  createHash,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'

const curve = 'prime256v1'
const recordSize = 4_096
const publicKeyLength = 65
const secretLength = 16
const tokenSeconds = 12 * 3_600

export interface BrowserKeys {
  p256dh: Buffer
  auth: Buffer
}

/** Decodes the keys of a browser; undefined if they are not a point of the curve and a secret. */
export function decodeBrowserKeys(p256dh: string, auth: string): BrowserKeys | undefined {
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  if (keys.p256dh.length !== publicKeyLength || keys.auth.length !== secretLength) return undefined
  try {
    const any = createECDH(curve)
    any.generateKeys()
    any.computeSecret(keys.p256dh)
    return keys
  } catch {
    return undefined
  }
}

function generate(): ECDH {
  const pair = createECDH(curve)
  pair.generateKeys()
  return pair
}

export function encryptPush(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { salt, pair }: { salt: Buffer; pair: ECDH } = { salt: randomBytes(16), pair: generate() },
): Buffer {
  const own = pair.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own])
  const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(p256dh), auth, info, 32))
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${purpose}\0`, length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const size = Buffer.alloc(5)
  size.writeUInt32BE(recordSize)
  size[4] = own.length
  // The 2 marks the last record.
  const record = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.from([2])])), cipher.final()]
  return Buffer.concat([salt, size, own, ...record, cipher.getAuthTag()])
}

export interface PushSender {
  /** The public key, base64url. */
  publicKey: string
  /** Returns the `Authorization` header for a push service. */
  authorize(endpoint: string, now: Date): string
}

/** Makes the sender of a key of 32 bytes; `contact` is a URL that says who sends. */
export function createPushSender(key: Buffer, contact: string): PushSender {
  const pair = createECDH(curve)
  setPrivateKey(pair, key)
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  const d = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y!, d }
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    authorize(endpoint, now) {
      const exp = Math.floor(now.getTime() / 1_000) + tokenSeconds
      const claims = { aud: new URL(endpoint).origin, exp, sub: contact }
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const content = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${content}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

/** A few of all values of 32 bytes are not a key of the curve. */
function setPrivateKey(pair: ECDH, key: Buffer): void {
  try {
    pair.setPrivateKey(key)
  } catch {
    setPrivateKey(pair, createHash('sha256').update(key).digest())
  }
}
