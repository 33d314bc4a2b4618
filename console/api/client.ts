/**
 * The typed API client of the console. Requests authenticate by the session cookie, which scripts cannot read. Responses
 * name the build that serves them; a 401 ends the session in this tab.
 */
import createFetchClient from 'openapi-fetch'
import type { components, paths } from '../../client/api.generated.ts'
import { createStore } from '../app/store.ts'
import { ApiError } from './errors.ts'

export type Schemas = components['schemas']

const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content

/** Whether a newer build serves this tab. */
export const isOutdated = createStore(false)

export function noticeBuild(build: string | null | undefined): void {
  if (build && ownBuild && build !== ownBuild) isOutdated.set(true)
}

/** Called when a second factor must be set up first; set by session.ts. */
const factorListeners = new Set<() => void>()
export function onFactorMissing(listener: () => void): void {
  factorListeners.add(listener)
}

/** Called when the session has ended; set by session.ts. */
const unauthorizedListeners = new Set<() => void>()
export function onUnauthorized(listener: () => void): void {
  unauthorizedListeners.add(listener)
}

export const api = createFetchClient<paths>({ baseUrl: '/v1' })

let reads = new AbortController()

/** Aborts the reads in flight: their responses are not needed after signing out. */
export function abortReads(): void {
  reads.abort()
  reads = new AbortController()
}

/** Ids of resources that this tab deletes or has deleted. */
const deletedIds = new Set<string>()
const toId = ({ url }: { url: string }) => new URL(url).pathname.split('/').at(-1)!

/** Whether this tab deletes the resource. Its event may arrive before the response; reading the resource again would fail. */
export const isDeletedHere = (id: string) => deletedIds.has(id)

api.use({
  onRequest({ request }) {
    if (request.method === 'DELETE') deletedIds.add(toId(request))
    if (request.method !== 'GET') return undefined
    return new Request(request, { signal: AbortSignal.any([request.signal, reads.signal]) })
  },
  onResponse({ request, response, schemaPath }) {
    if (!response.ok) deletedIds.delete(toId(request))
    noticeBuild(response.headers.get('x-parley-build'))
    // A wrong code of a second factor is a 401 too.
    if (response.status === 401 && !/^\/auth\/|\/confirm$/.test(schemaPath))
      for (const listener of unauthorizedListeners) listener()
  },
})

interface FetchResult<T> {
  data?: T
  error?: unknown
  response: Response
}

/** Returns the body of a successful response; throws an ApiError otherwise. */
export async function call<T>(request: Promise<FetchResult<T>>): Promise<T> {
  let result: FetchResult<T>
  try {
    result = await request
  } catch (error) {
    throw ApiError.from(error)
  }
  const { data, error, response } = result
  if (response.ok) return data as T
  const retryAfter = Number(response.headers.get('retry-after'))
  const body = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  if (body.code === 'auth_second_factor_missing') for (const listener of factorListeners) listener()
  throw new ApiError(response.status, body, retryAfter > 0 ? retryAfter : undefined)
}
