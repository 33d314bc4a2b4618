/** Graph platform conventions shared by chatapp and socialapp: tokens, errors, parameters, fields and paging. */
import type { SandboxContext } from '../context.ts'
import { isObject, parseForm, parseJsonObject } from '../http/bodies.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { hashHex } from '../identifiers.ts'

interface GraphErrorOptions {
  status?: number
  subcode?: number
  type?: string
  details?: string
  transient?: boolean
}

const forbidden = new Set([3, 10, 368, 131005, 131031])
const broken = new Set([1, 2, 131000, 131016, 131057])

function toHttpStatus(code: number): number {
  if (code === 0 || code === 190) return 401
  if (forbidden.has(code) || (code >= 200 && code < 300)) return 403
  if (code === 132001) return 404
  return broken.has(code) ? 500 : 400
}

export class GraphError extends Error {
  readonly code: number
  readonly options: GraphErrorOptions

  constructor(code: number, message: string, options: GraphErrorOptions = {}) {
    super(message)
    this.code = code
    this.options = options
  }

  toResponse(product?: string): HttpResponse {
    const { status, subcode, type, details, transient } = this.options
    const data = details === undefined ? {} : { error_data: { messaging_product: product, details } }
    return {
      status: status ?? toHttpStatus(this.code),
      json: {
        error: {
          message: `(#${this.code}) ${this.message}`,
          type: type ?? 'OAuthException',
          code: this.code,
          ...data,
          ...(subcode === undefined ? {} : { error_subcode: subcode }),
          ...(transient === undefined ? {} : { is_transient: transient }),
          fbtrace_id: `A${hashHex(`${this.code}/${this.message}/${details}`, 22)}`,
        },
      },
    }
  }
}

export const expiredToken = (): GraphError =>
  new GraphError(190, 'Error validating access token: Session has expired.', { subcode: 463 })

/** Accepts every token except those whose prefix names an error. */
export function checkToken({ headers, query }: HttpRequest): string {
  const header = headers.authorization
  const token = header?.startsWith('Bearer ') ? header.slice(7) : (query.get('access_token') ?? '')
  if (token === '')
    throw new GraphError(190, 'An access token is required to request this resource.', { status: 401 })
  if (token.startsWith('expired')) throw expiredToken()
  if (token.startsWith('invalid')) throw new GraphError(190, 'Invalid OAuth access token.', { status: 401 })
  if (token.startsWith('forbidden'))
    throw new GraphError(10, 'Application does not have permission for this action')
  if (token.startsWith('limited'))
    throw new GraphError(4, 'Application request limit reached', { transient: true })
  return token
}

export const isMissing = (id: string): boolean => id.startsWith('missing')

export const unknownObject = (id: string, method = 'get'): GraphError =>
  new GraphError(
    100,
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    { type: 'GraphMethodException', subcode: 33 },
  )

type Parameters = Record<string, unknown>

export function jsonBody({ body, headers }: HttpRequest): Parameters {
  if (body.length === 0) return {}
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return parseForm(body.toString('utf8'))
  const value = parseJsonObject(body.toString('utf8'))
  if (!value) throw new GraphError(100, 'Invalid parameter', { details: 'The body is not a JSON object' })
  return value
}

/** Reads a parameter that is an object or a JSON string. */
export function parseNested(value: unknown): Parameters {
  return (isObject(value) ? value : parseJsonObject(String(value))) ?? {}
}

export function readParameters(request: HttpRequest): Parameters {
  return { ...Object.fromEntries(request.query), ...jsonBody(request) }
}

/** Selects the requested fields (`id,name,children{id}`) and always the id. */
export function pickFields(
  value: Record<string, unknown>,
  fields: string | null | undefined,
): Record<string, unknown> {
  if (!fields) return value
  const names = new Set(
    fields
      .replace(/\.[a-z]+\([^)]*\)/g, '')
      .replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
      .split(',')
      .map(name => name.trim()),
  )
  names.add('id')
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
}

const encodeCursor = (position: number): string => Buffer.from(`cursor:${position}`).toString('base64url')

function decodeCursor(cursor: string | null): number {
  if (cursor === null) return 0
  const match = /^cursor:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match) throw new GraphError(100, 'Invalid cursor', { details: 'Unknown cursor' })
  return Number(match[1])
}

interface PageOptions {
  maxSize: number
  token: string
  path: string
}

const defaultSize = 25

/** Returns one page with cursors and the absolute URL of the next page, including the access token. */
export function paginate<T>(
  request: HttpRequest,
  all: readonly T[],
  { maxSize, token, path }: PageOptions,
): { data: T[]; paging?: unknown } {
  const requested = Number(request.query.get('limit') ?? defaultSize)
  const limit = Math.min(Number.isInteger(requested) && requested > 0 ? requested : defaultSize, maxSize)
  const start = decodeCursor(request.query.get('after'))
  const data = all.slice(start, start + limit)
  if (data.length === 0) return { data }
  const end = start + data.length
  const cursors = { before: encodeCursor(start), after: encodeCursor(end) }
  if (end >= all.length) return { data, paging: { cursors } }
  const query = new URLSearchParams(request.query)
  query.set('access_token', token)
  query.set('limit', String(limit))
  query.set('after', cursors.after)
  return { data, paging: { cursors, next: `${request.base}/${path}?${query}` } }
}

/** Responds with one page of objects and their requested fields. */
export function respondWithPage<T>(
  request: HttpRequest,
  all: readonly T[],
  options: PageOptions,
  toApi: (item: T) => Parameters,
): HttpResponse {
  const page = paginate(request, all, options)
  const fields = request.query.get('fields')
  return ok({ ...page, data: page.data.map(item => pickFields(toApi(item), fields)) })
}

export const ok = (json: unknown): HttpResponse => ({ status: 200, json })

/** Handles a request for an edge of the object with this id. */
export type EdgeHandler = (
  context: SandboxContext,
  id: string,
  request: HttpRequest,
  token: string,
) => Promise<HttpResponse> | HttpResponse

interface GraphApi {
  channel: 'chatapp' | 'socialapp'
  /** named in the details of errors */
  product?: string
  /** calls that are not about an object */
  calls: Record<string, (request: HttpRequest, token: string) => HttpResponse>
  resolveId?: (id: string, token: string) => string
  node: EdgeHandler
  edges: Record<string, EdgeHandler>
}

/** Serves `/{id}` and `/{id}/{edge}` of a provider; errors become its error responses. */
export const graphHandler = (api: GraphApi) => (context: SandboxContext, request: HttpRequest) =>
  withGraphErrors(() => dispatch(api, context, request), api.product)

async function dispatch(api: GraphApi, context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  const [first, name, ...more] = request.path
  const token = checkToken(request)
  if (first !== undefined && Object.hasOwn(api.calls, first)) return api.calls[first]!(request, token)
  if (first === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
  const id = api.resolveId?.(first, token) ?? first
  if (isMissing(id)) throw unknownObject(id, request.method)
  const account = { channel: api.channel, account: id }
  if (name !== 'messages' && context.faults.matchRequest(account)) throw expiredToken()
  const handle = name === undefined ? api.node : api.edges[`${request.method} ${name}`]
  if (!handle) throw new GraphError(2500, `Unknown path components: /${name}`)
  return handle(context, id, request, token)
}

export async function withGraphErrors(
  work: () => Promise<HttpResponse> | HttpResponse,
  product?: string,
): Promise<HttpResponse> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GraphError) return error.toResponse(product)
    throw error
  }
}
