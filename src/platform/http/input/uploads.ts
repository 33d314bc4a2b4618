/**
 * Receives multipart forms with one file, in the part named `file`. The file is stored while it arrives. The whole
 * request is known only then, so the Idempotency-Key is checked afterwards; its fingerprint covers file, filename and
 * fields.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { BlobTooLarge, type StoredBlob } from '../../blobs/blobs.ts'
import type { Tx } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import type { Deps } from '../../deps.ts'
import {
  BodyTooLarge,
  fail,
  invalid,
  MalformedBody,
  Problem,
  type Violation,
  violation,
} from '../../errors.ts'
import type { Caller } from '../caller.ts'
import {
  claimKey,
  readKey,
  releaseKey,
  storeResponse,
  toFingerprint,
  withKeyLease,
} from '../idempotency/idempotency.ts'
import { Reply } from '../route.ts'

export interface UploadOptions {
  /** Names of the allowed text fields. */
  fields: readonly string[]
  /** A request with a larger Content-Length is refused before it is read; `store` enforces the limit for others. */
  maxBytes: number
  /** Consumes the stream; BlobTooLarge becomes a 413. */
  store: (source: Readable, file: { filename: string; mimetype: string }) => Promise<StoredBlob>
  /** Deletes the stored file when the form is invalid. */
  discard: () => Promise<void>
}

export interface Upload extends StoredBlob {
  filename: string
  mimetype: string
  fields: Record<string, string>
}

/** RFC 2046 allows 70 characters; the parser fails on very long ones. */
const maxBoundaryLength = 200
/** Maximum size of the form without its file. */
const maxFormOverheadBytes = 2 * 1024 * 1024

export async function receiveUpload(request: FastifyRequest, options: UploadOptions): Promise<Upload> {
  const violations: Violation[] = []
  const fields: Record<string, string> = Object.create(null)
  let file: Omit<Upload, 'fields'> | undefined
  try {
    assertShortBoundary(request.headers['content-type'])
    if (Number(request.headers['content-length']) > options.maxBytes + maxFormOverheadBytes)
      throw new BlobTooLarge(options.maxBytes)
    // Several files are accepted here to report a violation; the size limit is enforced while storing.
    const parts = request.parts({ limits: { files: 3, fileSize: Number.MAX_SAFE_INTEGER } })
    for await (const part of parts) {
      if (part.type === 'field') addField(part, options.fields, fields, violations)
      else if (part.fieldname === 'file' && !file) file = await storeFile(part, options)
      else {
        violations.push(
          violation(part.fieldname, 'unknown_property', 'send one file, in the part named file'),
        )
        part.file.resume()
      }
    }
    if (!file && violations.length === 0) violations.push(violation('file', 'required', 'is required'))
    if (violations.length > 0) invalid(...violations)
    return { ...file!, fields }
  } catch (error) {
    if (file) await options.discard()
    await drainRequest(request.raw)
    throw toUploadProblem(error)
  }
}

function assertShortBoundary(contentType = ''): void {
  const boundary = /boundary=("[^"]*"|[^;]*)/i.exec(contentType)?.[1] ?? ''
  if (boundary.length > maxBoundaryLength)
    fail(
      MalformedBody,
      `the boundary of the form has more than ${maxBoundaryLength} characters; use a shorter one`,
    )
}

/** Converts errors of the form parser and the blob store to problems. */
function toUploadProblem(error: unknown): unknown {
  if (error instanceof BlobTooLarge)
    return new Problem(BodyTooLarge, { detail: `the file has more than ${error.maxBytes} bytes` })
  const { code, message = '' } = error as { code?: string; message?: string }
  if (code === undefined && /multipart|boundary|part header/i.test(message))
    return new Problem(MalformedBody, { detail: `the form is not valid: ${message.slice(0, 100)}` })
  return error
}

type FilePart = { filename: string; mimetype: string; file: Readable }

async function storeFile(part: FilePart, options: UploadOptions): Promise<Omit<Upload, 'fields'>> {
  const file = { filename: part.filename ?? '', mimetype: part.mimetype }
  return { ...file, ...(await options.store(part.file, file)) }
}

function addField(
  part: { fieldname: string; value: unknown; valueTruncated?: boolean },
  allowed: readonly string[],
  fields: Record<string, string>,
  violations: Violation[],
): void {
  const { fieldname: name, value } = part
  if (!allowed.includes(name))
    violations.push(violation(name, 'unknown_property', 'is not a field of this form'))
  else if (name in fields) violations.push(violation(name, 'duplicate', 'must be given once'))
  else if (typeof value !== 'string' || part.valueTruncated)
    violations.push(violation(name, 'invalid_type', 'must be a short text'))
  else fields[name] = value
}

const drainTimeoutMs = 3_000

/** Drains the request: a client that is still sending does not read the response. */
async function drainRequest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, drainTimeoutMs)
    request.once('close', resolve).once('end', resolve).resume()
    request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  })
}

export interface UploadContext extends Pick<Deps, 'db' | 'clock' | 'caches'> {
  caller: Caller
  request: FastifyRequest
}

/**
 * Like `write` of a route: runs `write` and stores its response in one transaction. Calls `onReplay` instead when the
 * same upload has a stored response.
 */
export async function writeUpload<T>(
  context: UploadContext,
  target: { operation: string; status: number },
  upload: Upload,
  handlers: { write: (tx: Tx) => Promise<T>; onReplay: () => Promise<void> },
): Promise<T | Reply> {
  const { db, caller, request } = context
  const key = readKey(request.headers['idempotency-key'] as string | undefined)
  if (key === undefined) return transact(db, handlers.write)
  const idempotencyKey = {
    tenantId: caller.tenantId,
    callerId: caller.id,
    operation: target.operation,
    key,
    fingerprint: toFingerprint(request.params, request.query, upload.sha256, upload.filename, upload.fields),
  }
  const { claim, stored } = await claimKey(db, idempotencyKey).catch(async error => {
    await handlers.onReplay()
    throw error
  })
  if (stored) {
    await handlers.onReplay()
    return new Reply({ ...stored, headers: { ...stored.headers, 'idempotent-replayed': 'true' } })
  }
  try {
    const writeAndStore = async (tx: Tx) => {
      const result = await handlers.write(tx)
      await storeResponse(tx, claim, { status: target.status, body: result, headers: {} })
      return result
    }
    return await withKeyLease(context, claim, () => transact(db, writeAndStore))
  } catch (error) {
    await releaseKey(db, claim).catch(() => {}) // the caller throws the first error
    throw error
  }
}
