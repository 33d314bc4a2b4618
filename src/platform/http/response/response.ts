/** Builds the response from a handler's result and sends it. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesNone, toEtag } from '../input/etag.ts'
import { Reply, type Route } from '../route.ts'
import { toJsonText } from './json-text.ts'

export interface RouteResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** Returns a 304 without the body if the client has the current representation. */
export function toNotModified(request: FastifyRequest, response: RouteResponse): RouteResponse {
  const { etag } = response.headers
  if (response.status !== 200 || !etag || !matchesNone(request.headers['if-none-match'], etag))
    return response
  if (response.body instanceof Readable) response.body.destroy()
  return { status: 304, headers: response.headers, body: undefined }
}

export function toResponse(route: Route, result: unknown): RouteResponse {
  const reply: Reply['options'] = result instanceof Reply ? result.options : { body: result }
  const body = route.success.status === 204 ? undefined : reply.body
  const headers = { ...reply.headers }
  if (route.success.etag) headers.etag = toEtag((body as { revision: number }).revision)
  return { status: reply.status ?? route.success.status, headers, body }
}

export function send(reply: FastifyReply, response: RouteResponse): FastifyReply {
  reply.code(response.status).headers(response.headers)
  if (response.body === undefined || response.body === null) return reply.send()
  if (reply.getHeader('content-type') !== undefined) return reply.send(response.body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(toJsonText(response.body))
}
