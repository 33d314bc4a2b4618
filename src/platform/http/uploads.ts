/**
 * Forms with one file, in the part named `file`. The file goes to its store while it arrives. Only then is the whole
 * request known, so an Idempotency-Key is looked at afterwards: the same request is the same file, filename and fields.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { BlobStoreFull, BlobTooLarge, type StoredBlob } from '../blobs/blobs.ts'
import type { Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import {
  BodyTooLarge,
  invalid,
  MalformedBody,
  Problem,
  Unavailable,
  type Violation,
  violation,
} from '../errors.ts'
import type { Caller } from './caller.ts'
import { holding } from './held-keys.ts'
import { claimKey, fingerprintOf, readKey, releaseKey, storeAnswer } from './idempotency.ts'
import { Reply } from './route.ts'

export interface UploadOptions {
  /** Names of the text fields the form may have. */
  fields: readonly string[]
  /** A request that says it is larger is refused before it is read; the store sees to the others. */
  maxBytes: number
  /** Takes the stream over; BlobTooLarge becomes a 413. */
  store: (source: Readable, about: { filename: string; mimetype: string }) => Promise<StoredBlob>
  /** Takes back what was stored, when the form turns out not to be valid. */
  discard: () => Promise<void>
}

export interface Upload extends StoredBlob {
  filename: string
  mimetype: string
  fields: Record<string, string>
}

/** What a form has besides its file: at most so much. */
const formBytes = 2 * 1024 * 1024

export async function receiveUpload(request: FastifyRequest, options: UploadOptions): Promise<Upload> {
  const faults: Violation[] = []
  const fields: Record<string, string> = Object.create(null)
  let file: Omit<Upload, 'fields'> | undefined
  try {
    if (Number(request.headers['content-length']) > options.maxBytes + formBytes)
      throw new BlobTooLarge(options.maxBytes)
    // Whoever sends more files than one is told so; what is too long is found while it is stored.
    const parts = request.parts({ limits: { files: 3, fileSize: Number.MAX_SAFE_INTEGER } })
    for await (const part of parts) {
      if (part.type === 'field') addField(part, options.fields, fields, faults)
      else if (part.fieldname === 'file' && !file) file = await storeFile(part, options)
      else {
        faults.push(violation(part.fieldname, 'unknown_field', 'send one file, in the part named file'))
        part.file.resume()
      }
    }
    if (!file && faults.length === 0) faults.push(violation('file', 'required', 'is required'))
    if (faults.length > 0) invalid(...faults)
    return { ...file!, fields }
  } catch (error) {
    if (file) await options.discard()
    await passBy(request.raw)
    throw understood(error)
  }
}

/** What the form parser and the store say, as problems. */
function understood(error: unknown): unknown {
  if (error instanceof BlobTooLarge)
    return new Problem(BodyTooLarge, { detail: `the file has more than ${error.maxBytes} bytes` })
  if (error instanceof BlobStoreFull) return new Problem(Unavailable, { detail: 'there is no space left' })
  const { code, message = '' } = error as { code?: string; message?: string }
  if (code === undefined && /multipart|boundary|part header/i.test(message))
    return new Problem(MalformedBody, { detail: `the form is not valid: ${message.slice(0, 100)}` })
  return error
}

type FilePart = { filename: string; mimetype: string; file: Readable }

async function storeFile(part: FilePart, options: UploadOptions): Promise<Omit<Upload, 'fields'>> {
  const about = { filename: part.filename ?? '', mimetype: part.mimetype }
  return { ...about, ...(await options.store(part.file, about)) }
}

function addField(
  part: { fieldname: string; value: unknown; valueTruncated?: boolean },
  known: readonly string[],
  fields: Record<string, string>,
  faults: Violation[],
): void {
  const { fieldname: name, value } = part
  if (!known.includes(name)) faults.push(violation(name, 'unknown_field', 'is not a field of this form'))
  else if (name in fields) faults.push(violation(name, 'repeated', 'is given twice'))
  else if (typeof value !== 'string' || part.valueTruncated)
    faults.push(violation(name, 'invalid_type', 'must be a short text'))
  else fields[name] = value
}

const patienceMs = 3_000

/** A client that is still sending does not read the answer: give it a while to finish. */
async function passBy(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, patienceMs)
    request.once('close', resolve).once('end', resolve).resume()
    request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  })
}

export interface UploadContext extends Pick<Deps, 'db' | 'clock'> {
  caller: Caller
  request: FastifyRequest
}

/**
 * Like `write` of a route: what `fn` does and its answer are stored in one transaction. `replayed` is called instead
 * when the same upload was answered before.
 */
export async function writeUpload<T>(
  context: UploadContext,
  answer: { operation: string; status: number },
  upload: Upload,
  act: { write: (tx: Tx) => Promise<T>; replayed: () => Promise<void> },
): Promise<T | Reply> {
  const { db, caller, request } = context
  const key = readKey(request.headers['idempotency-key'] as string | undefined)
  if (key === undefined) return transact(db, act.write)
  const keyed = {
    tenantId: caller.tenantId,
    callerId: caller.id,
    operation: answer.operation,
    key,
    fingerprint: fingerprintOf(request.params, request.query, upload.sha256, upload.filename, upload.fields),
  }
  const { claim, earlier } = await claimKey(db, keyed).catch(async error => {
    await act.replayed()
    throw error
  })
  if (earlier) {
    await act.replayed()
    return new Reply({ ...earlier, headers: { ...earlier.headers, 'idempotent-replayed': 'true' } })
  }
  try {
    const writing = async (tx: Tx) => {
      const result = await act.write(tx)
      await storeAnswer(tx, claim, { status: answer.status, body: result, headers: {} })
      return result
    }
    return await holding(db, claim, () => transact(db, writing))
  } catch (error) {
    await releaseKey(db, claim).catch(() => {}) // the first error is the one to tell
    throw error
  }
}
