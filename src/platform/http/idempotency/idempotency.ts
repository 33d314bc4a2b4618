/**
 * Idempotency-Key: the response to a POST is stored for 24 hours per workspace, caller and operation. The same request
 * gets the stored response, another body is refused, and a request in flight is reported as busy. A handler that
 * writes through `write()` has its response stored in the same transaction as its effects: a crash leaves both or
 * neither. Requests in flight renew their keys, so that the key of a dead process is free after seconds.
 */

import { createHash } from 'node:crypto'
import { defineCache } from '../../caches.ts'
import type { Db, Tx } from '../../db/db.ts'
import { notMoving } from '../../db/moving.ts'
import { containsAnyWord, sql } from '../../db/sql.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalid, problemKind, violation } from '../../errors.ts'
import { cron } from '../../jobs/cron.ts'

export const IdempotencyKeyReused = problemKind(
  422,
  'idempotency_key_reused',
  'The Idempotency-Key was used with a different request',
)
export const IdempotencyKeyBusy = problemKind(
  409,
  'idempotency_key_in_use',
  'The first request with this Idempotency-Key is still in flight',
)

export const IdempotencySecretConsumed = problemKind(
  409,
  'idempotency_secret_consumed',
  'The first response with this Idempotency-Key contained a secret that is shown once',
)

/** Time after which the key of a request that neither finished nor renewed it can be claimed again. */
const leaseInterval = '15 seconds'
const retention = '24 hours'

export interface StoredResponse {
  status: number
  body: unknown
  headers: Record<string, string>
}

export interface IdempotencyKey {
  tenantId: string
  callerId: string
  operation: string
  key: string
  fingerprint: string
}

export interface ClaimedKey extends IdempotencyKey {
  /** Claim time by the database clock. A request whose key was claimed again in the meantime must not commit. */
  startedAt: string
}

export function readKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim()
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    invalid(
      violation(
        'Idempotency-Key',
        'invalid_format',
        'must be 1 to 255 visible ASCII characters, bare or in quotes',
      ),
    )
  }
  return key
}

/** Returns a hash that does not depend on the order of object members. */
export function toFingerprint(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts, sortMembers)).digest('base64url')
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const now = ({ clock }: Pick<Db, 'clock'>) =>
  sql`(statement_timestamp() + ${clock.offsetMs()}::float8 * interval '1 ms')`

/** Claims the key for this request, or returns the stored response. */
export async function claimKey(
  db: Db,
  claim: IdempotencyKey,
): Promise<{ claim: ClaimedKey; stored?: never } | { claim?: never; stored: StoredResponse }> {
  const row = await db.maybe<{
    fingerprint: string
    status: number | null
    body: unknown
    headers: Record<string, string> | null
    startedAt: string
    mine: boolean
  }>(sql`
    with claimed as (
      insert into idempotency_keys as k (tenant_id, caller_id, operation, key, fingerprint, started_at, alive_at)
      values (${claim.tenantId}, ${claim.callerId}, ${claim.operation}, ${claim.key}, ${claim.fingerprint}, ${now(db)},
        ${now(db)})
      on conflict (tenant_id, caller_id, operation, key) do update
        set fingerprint = excluded.fingerprint, started_at = excluded.started_at, alive_at = excluded.alive_at,
          status = null, body = null, headers = null
        where k.started_at < ${now(db)} - ${retention}::interval
          or (k.status is null and greatest(k.started_at, k.alive_at) < ${now(db)} - ${leaseInterval}::interval)
      returning fingerprint, status, body, headers, started_at as "startedAt", true as mine)
    select * from claimed
    union all
    select fingerprint, status, body, headers, started_at, false from idempotency_keys
    where tenant_id = ${claim.tenantId} and caller_id = ${claim.callerId} and operation = ${claim.operation}
      and key = ${claim.key} and not exists (select from claimed)`)
  if (row?.mine) return { claim: { ...claim, startedAt: row.startedAt } }
  // Claimed and released between the two halves of the statement: the client can retry.
  if (!row) fail(IdempotencyKeyBusy, 'try again in a moment', { headers: { 'retry-after': '1' } })
  if (row.fingerprint !== claim.fingerprint) fail(IdempotencyKeyReused, 'use a new key for a new request')
  if (row.status === null)
    fail(IdempotencyKeyBusy, 'try again in a moment', { headers: { 'retry-after': '1' } })
  return { stored: { status: row.status, body: row.body, headers: row.headers ?? {} } }
}

export async function renewKeys(db: Db, claims: readonly ClaimedKey[]): Promise<void> {
  const column = (name: keyof ClaimedKey) => claims.map(claim => claim[name])
  await db.run(sql`
    update idempotency_keys k set alive_at = ${now(db)}
    from unnest(${column('tenantId')}::text[], ${column('callerId')}::text[], ${column('operation')}::text[],
        ${column('key')}::text[], ${column('startedAt')}::timestamptz[]) as c(tenant_id, caller_id, operation, key, started_at)
    where k.tenant_id = c.tenant_id collate "C" and k.caller_id = c.caller_id collate "C"
      and k.operation = c.operation collate "C" and k.key = c.key collate "C" and k.started_at = c.started_at
      and k.status is null`)
}

export async function storeResponse(db: Db | Tx, claim: ClaimedKey, response: StoredResponse): Promise<void> {
  const stored = await db.run(sql`
    update idempotency_keys set status = ${response.status}, body = ${JSON.stringify(response.body ?? null)}::json,
      headers = ${JSON.stringify(response.headers)}::json
    where tenant_id = ${claim.tenantId} and caller_id = ${claim.callerId} and operation = ${claim.operation}
      and key = ${claim.key} and started_at = ${claim.startedAt} and status is null`)
  if (stored === 0) fail(IdempotencyKeyBusy, 'this request took too long and another one claimed its key')
}

/** Frees the key after a response that is not stored. */
export async function releaseKey(db: Db, claim: ClaimedKey): Promise<void> {
  await db.run(sql`
    delete from idempotency_keys where tenant_id = ${claim.tenantId} and caller_id = ${claim.callerId}
      and operation = ${claim.operation} and key = ${claim.key} and started_at = ${claim.startedAt} and status is null`)
}

export const purgeIdempotencyKeys = cron({
  name: 'platform.purge_idempotency_keys',
  schedule: '17 * * * *',
  handle: ({ db }) =>
    db.run(sql`delete from idempotency_keys
      where started_at < ${now(db)} - ${retention}::interval and ${notMoving('idempotency_keys.tenant_id')}`),
})

/** Reports whether a response is stored. Responses that depend on authorization or load are not. */
export function isReplayable(status: number): boolean {
  return status < 500 && ![401, 403, 408, 429].includes(status)
}

export function deleteResponsesContaining(
  db: Db,
  tenantId: string,
  words: readonly string[],
): Promise<number> {
  return db.run(sql`
    delete from idempotency_keys where tenant_id = ${tenantId} and status is not null
      and ${containsAnyWord('concat(body::text, headers::text)', words)}`)
}

/** A fraction of `leaseInterval`. */
const renewEveryMs = 4_000

interface KeyLeases {
  claims: Map<ClaimedKey, number>
  timer: NodeJS.Timeout | undefined
}

const keyLeases = defineCache((): KeyLeases => ({ claims: new Map(), timer: undefined }))

/** Runs `work` and renews the claim until it ends. */
export async function withKeyLease<T>(
  deps: Pick<Deps, 'db' | 'caches'>,
  claim: ClaimedKey,
  work: () => Promise<T>,
): Promise<T> {
  const leases = keyLeases(deps)
  leases.claims.set(claim, performance.now())
  leases.timer ??= setInterval(() => void renewLongRunning(deps.db, leases), renewEveryMs).unref()
  try {
    return await work()
  } finally {
    leases.claims.delete(claim)
    if (leases.claims.size === 0) {
      clearInterval(leases.timer)
      leases.timer = undefined
    }
  }
}

async function renewLongRunning(db: Db, { claims }: KeyLeases): Promise<void> {
  const before = performance.now() - renewEveryMs / 2
  const longRunning = [...claims].flatMap(([claim, since]) => (since < before ? [claim] : []))
  if (longRunning.length === 0) return
  // A key that could not be renewed may be claimed again; its request then fails to store its response.
  await renewKeys(db, longRunning).catch(() => {})
}
