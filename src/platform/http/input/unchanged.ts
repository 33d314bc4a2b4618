/**
 * Lets a PATCH repeat members that it cannot change, as long as they are as its GET returns them: clients can send a
 * resource back. The resource is read only when the body is not valid otherwise.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { authorize } from '../authorize.ts'
import type { Caller } from '../caller.ts'
import { type Context, getAccess, Reply, type Route } from '../route.ts'
import { matchesSchema } from '../validate.ts'
import { isRecord } from './violations.ts'

type ReadInput = (request: FastifyRequest, reply: FastifyReply) => Promise<Context<never, never, never>>

/** Returns a reader that removes members which the PATCH cannot change and which have their current value. */
export function withUnchangedMembers(
  route: Route,
  read: ReadInput,
  readRoute: Route,
  readCurrentInput: ReadInput,
) {
  const { properties } = route.body as TObject
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await read(request, reply)
    } catch (error) {
      const current = await loadCurrent(readRoute, readCurrentInput, request, reply).catch(() => undefined)
      if (!current || !isRecord(request.body)) throw error
      const isUnchanged = (name: string, value: unknown) =>
        Object.hasOwn(current, name) && isDeepStrictEqual(current[name], value)
      const isChangeable = (name: string, value: unknown) =>
        Object.hasOwn(properties, name) && matchesSchema(properties[name]!, value)
      request.body = Object.fromEntries(
        Object.entries(request.body).filter(
          ([name, value]) => isChangeable(name, value) || !isUnchanged(name, value),
        ),
      )
      return read(request, reply)
    }
  }
}

/** Returns the resource of a request as the caller would read it: from its own GET, or from the list that contains it. */
async function loadCurrent(
  readRoute: Route,
  read: ReadInput,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, unknown> | undefined> {
  const access = getAccess(readRoute)
  if (access) authorize(access, request.caller as Caller)
  const given = request.params as Record<string, string>
  const [last] = Object.entries(given).slice(-1)
  const isList = last !== undefined && !readRoute.path.includes(`{${last[0]}}`)
  const params = isList ? Object.fromEntries(Object.entries(given).slice(0, -1)) : given
  const members = { body: undefined, query: { text: '' }, params }
  const target = Object.create(
    request,
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value, writable: true }])),
  ) as FastifyRequest
  const result = await readRoute.handle(await read(target, reply))
  const body = result instanceof Reply ? result.options.body : result
  const resource = JSON.parse(JSON.stringify(body)) as Record<string, unknown>
  if (!isList) return resource
  return Object.values(resource)
    .flat()
    .find((item): item is Record<string, unknown> => isRecord(item) && item.id === last[1])
}

/** Finds the operation that returns the resource of a PATCH, or the list that contains it on its only page. */
export function findReadRoute(routes: readonly Route[], route: Route): Route | undefined {
  if (route.method !== 'PATCH' || !route.body) return undefined
  if (route.read) return { ...route, ...route.read, method: 'GET', body: undefined }
  const find = (path: string) => routes.find(other => other.method === 'GET' && other.path === path)
  const list = find(route.path.replace(/\/\{\w+\}$/, ''))
  return find(route.path) ?? (list?.page ? undefined : list)
}
