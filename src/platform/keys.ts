/**
 * Derives one key per purpose from the installation secret, by HKDF. Old secrets stay valid for verification and
 * decryption; new data uses the current one.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open as openFile, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from './config.ts'

export interface Keys {
  /** Returns the key for new data of this purpose. */
  current(purpose: string): Buffer
  /** Returns all keys of this purpose, newest first. */
  all(purpose: string): Buffer[]
  encrypt(purpose: string, plain: string): Buffer
  decrypt(purpose: string, sealed: Buffer): string
}

export class DecryptionError extends Error {}

export function createKeys(secret: string, oldSecrets: readonly string[] = []): Keys {
  const rings = new Map<string, Buffer[]>()
  const all = (purpose: string): Buffer[] => {
    let ring = rings.get(purpose)
    if (!ring) {
      ring = [secret, ...oldSecrets].map(ringSecret =>
        Buffer.from(hkdfSync('sha256', ringSecret, 'parley', purpose, 32)),
      )
      rings.set(purpose, ring)
    }
    return ring
  }
  const current = (purpose: string): Buffer => all(purpose)[0]!
  return {
    all,
    current,
    encrypt: (purpose, plain) => seal(current(purpose), plain),
    decrypt: (purpose, sealed) => open(all(purpose), sealed),
  }
}

// Sealed form: version (1), nonce (12), tag (16), ciphertext.
function seal(key: Buffer, plain: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), body])
}

function open(keys: Buffer[], sealed: Buffer): string {
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13)).setAuthTag(
        sealed.subarray(13, 29),
      )
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
    } catch {
      // not this key
    }
  }
  throw new DecryptionError(
    'no installation key decrypts this value: set SECRET_KEY or OLD_SECRET_KEYS to the secret it was encrypted with',
  )
}

/** Reads the secret of an installation without DATABASE_URL from its data directory, and creates it on first use. */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const secret = (await readSecret(file)) ?? (await createSecret(file))
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
