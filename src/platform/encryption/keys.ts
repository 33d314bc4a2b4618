/**
 * Derives one key per purpose from the installation secret, by HKDF. Old secrets only decrypt: signatures made with them
 * are invalid.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, mkdir, open as openFile, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '../config.ts'

/** Compares secrets or signatures in a time that depends on neither. */
export function isSameSecret(a: string | Buffer, b: string | Buffer): boolean {
  const digest = (secret: string | Buffer) => createHash('sha256').update(secret).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export interface Keys {
  /** Returns the key of this purpose. Old keys are not used to sign or verify. */
  current(purpose: string): Buffer
  encrypt(purpose: string, plain: string): Buffer
  /** Also decrypts with old keys. Throws DecryptionError. */
  decrypt(purpose: string, sealed: Buffer): string
  /** The first bytes of values that these keys encrypted, the current key's first. */
  headers: Buffer[]
}

export class DecryptionError extends Error {
  constructor() {
    super(
      'no installation key decrypts this value: set SECRET_KEY or OLD_SECRET_KEYS to the secret it was encrypted with',
    )
  }
}

export function createKeys(secret: string, oldSecrets: readonly string[] = []): Keys {
  const ring = [secret, ...oldSecrets].map(createKey)
  const [current] = ring as [RingKey]
  return {
    headers: ring.map(key => key.header),
    current: current.derive,
    encrypt: (purpose, plain) => Buffer.concat([current.header, seal(current.derive(purpose), plain)]),
    decrypt: (purpose, sealed) => {
      const own = ring.find(({ header }) => sealed.subarray(0, sealHeaderLength).equals(header))
      if (own) return open([own.derive(purpose)], sealed.subarray(sealHeaderLength))
      if (sealed[0] !== firstFormat) throw new DecryptionError()
      return open(
        ring.map(key => key.derive(purpose)),
        sealed.subarray(1),
      )
    },
  }
}

interface RingKey {
  header: Buffer
  derive(purpose: string): Buffer
}

// A sealed value is a format (1), the id of its key (4), a nonce (12), a tag (16) and the ciphertext.
export const sealHeaderLength = 5
const format = 2
/** Has no key id. */
const firstFormat = 1

function createKey(secret: string): RingKey {
  const derived = new Map<string, Buffer>()
  const derive = (purpose: string): Buffer => {
    let key = derived.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, 32))
      derived.set(purpose, key)
    }
    return key
  }
  return { derive, header: Buffer.concat([Buffer.from([format]), derive('key-id').subarray(0, 4)]) }
}

function seal(key: Buffer, plain: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function open(keys: Buffer[], sealed: Buffer): string {
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAuthTag(
        sealed.subarray(12, 28),
      )
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
    } catch {
      // not this key
    }
  }
  throw new DecryptionError()
}

/**
 * Reads the secret of an installation without DATABASE_URL from its data directory, and creates it on first use unless
 * there is encrypted data already.
 */
export async function readOrCreateSecret(
  dataDir: string,
  hasEncryptedData: () => Promise<boolean> = async () => false,
): Promise<string> {
  const file = path.join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  let secret = await readSecret(file)
  if (secret === undefined && (await hasEncryptedData()))
    throw new ConfigError(
      `${file} is missing, but the database has values encrypted with it: restore the file from a backup, or set SECRET_KEY to its content`,
    )
  secret ??= await createSecret(file)
  if (secret.length < 32)
    throw new ConfigError(
      `${file} is damaged: restore it from a backup; data encrypted with it is lost otherwise`,
    )
  return secret
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a draft and links it into place: the file is complete or absent, and of two processes one wins. */
async function createSecret(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await openFile(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await handle.sync()
    await link(draft, file).catch(error => {
      if (error.code !== 'EEXIST') return rename(draft, file) // some file systems have no links
    })
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}
