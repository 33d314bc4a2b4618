/** Runs a handler under its Idempotency-Key: its response is stored with its write and replayed to repeated requests. */
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../db/db.ts'
import { toMove } from '../../db/moving.ts'
import { transact } from '../../db/transact.ts'
import type { Deps } from '../../deps.ts'
import { fail, Problem } from '../../errors.ts'
import { toProblemBody } from '../response/problems.ts'
import { type RouteResponse, toResponse } from '../response/response.ts'
import { type Context, type Route, toOperation } from '../route.ts'
import {
  type ClaimedKey,
  claimKey,
  type IdempotencyKey,
  IdempotencySecretConsumed,
  isReplayable,
  releaseKey,
  type StoredResponse,
  storeResponse,
  toFingerprint,
  withKeyLease,
} from './idempotency.ts'

/** Runs the handler under its Idempotency-Key, or replays the stored response. */
export async function runIdempotently(
  route: Route,
  deps: Deps,
  context: Context<never, never, never>,
  key: string,
): Promise<RouteResponse> {
  const { caller, request } = context
  const fingerprint = toFingerprint(request.params, request.query, request.body ?? {})
  const { claim, stored } = await claimOnce(deps, request, {
    tenantId: caller.tenantId,
    callerId: caller.id,
    operation: toOperation(route),
    key,
    fingerprint,
  })
  if (stored) return replay(route, stored)
  let isStored = false
  const write = <T>(fn: (tx: Tx) => Promise<T>) =>
    transact(deps.db, async tx => {
      const result = await fn(tx)
      await storeResponse(tx, claim, withoutSecrets(route, toResponse(route, result)))
      return result
    }).then(result => {
      isStored = true
      return result
    })
  try {
    const keyedContext = { __proto__: context, write, exclusiveWrite: write } as unknown as typeof context
    const response = toResponse(
      route,
      await withKeyLease(deps, claim, async () => route.handle(keyedContext)),
    )
    if (!isStored) await storeResponse(deps.db, claim, withoutSecrets(route, response))
    return response
  } catch (error) {
    if (!isStored) await storeProblem(deps, claim, error, request)
    throw error
  }
}

/** Claims of requests that were refused because their workspace moves: the claim moves with it. */
const movingClaims = new WeakMap<FastifyRequest, ClaimedKey>()

async function claimOnce(deps: Deps, request: FastifyRequest, key: IdempotencyKey) {
  const known = movingClaims.get(request)
  movingClaims.delete(request)
  return known ? { claim: known, stored: undefined } : claimKey(deps.db, key)
}

/** A replay without the secret would look like a success that the caller cannot use. */
function replay(route: Route, stored: StoredResponse): RouteResponse {
  if (route.secretFields && stored.status < 400)
    fail(IdempotencySecretConsumed, 'delete what the first request created and repeat it with a new key', {
      headers: { 'idempotent-replayed': 'true' },
      members: { created: stored.body },
    })
  return { ...stored, headers: { ...stored.headers, 'idempotent-replayed': 'true' } }
}

async function storeProblem(
  deps: Deps,
  claim: ClaimedKey,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  if (toMove(error)) return void movingClaims.set(request, claim)
  const shouldStore = error instanceof Problem && isReplayable(error.kind.status)
  const settled = shouldStore
    ? storeResponse(deps.db, claim, {
        status: error.kind.status,
        body: toProblemBody(error, request.url.split('?')[0]!, request.id),
        headers: error.extras.headers ?? {},
      })
    : releaseKey(deps.db, claim)
  await settled.catch(() => {}) // the caller throws the first error
}

function withoutSecrets(route: Route, response: RouteResponse): StoredResponse {
  if (!route.secretFields || typeof response.body !== 'object' || response.body === null) return response
  const isSecret = (name: string) => route.secretFields!.includes(name)
  const text = JSON.stringify(response.body, (name, value) => (isSecret(name) ? undefined : value))
  return { ...response, body: JSON.parse(text) }
}
