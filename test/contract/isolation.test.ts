/** Tests that another workspace's id, an unknown id and a malformed id give the same 404 in every operation with an id. */
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { getAccess, toOperation } from '../../src/platform/http/route.ts'
import { testApi } from '../harness/api.ts'
import { playProviders } from '../harness/sandbox.ts'
import { factories } from './factories.ts'

const api = await testApi({}, { spread: true })
await playProviders(api)
const other = await api.workspace('Other')
const own = await api.workspace('Own')
const withIds = routes.filter(route => route.path.includes('{') && getAccess(route) !== undefined)

test('every path with an id has a factory', () => {
  expect(withIds.map(route => route.path).filter(path => !factories[path])).toEqual([])
})

const fill = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
/** Removes the fields that differ between any two responses. */
const comparable = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  ...body,
  requestId: '',
  instance: '',
})

describe.each(
  withIds
    .filter(route => factories[route.path] && !factories[route.path]!.isProviderId)
    .filter(route => factories[route.path]!.createdBy !== route.method)
    .map(route => ({ route, operation: toOperation(route) })),
)('$operation', ({ route }) => {
  test('404 for foreign, unknown and malformed ids, with the same body', async () => {
    const factory = factories[route.path]!
    const params = await factory.params(other)
    const isFixed = (name: string) => factory.fixed?.includes(name) ?? false
    const unknown = Object.fromEntries(
      Object.entries(params).map(([name, id]) => [name, isFixed(name) ? id : `${id.slice(0, -6)}000000`]),
    )
    const malformed = Object.fromEntries(
      Object.entries(params).map(([name, id]) => [name, isFixed(name) ? id : 'x y']),
    )
    const body = typeof factory.body === 'function' ? await factory.body(other, params) : factory.body
    const call = (client: typeof own.owner, ids: Record<string, string>) =>
      client.request(route.method, fill(route.path, ids), body?.[route.method], factory.headers)
    const foreign = await call(own.owner, params)
    expect(foreign.status, JSON.stringify(foreign.body)).toBe(404)
    expect(comparable(foreign)).toEqual(comparable(await call(own.owner, unknown)))
    expect(comparable(foreign)).toEqual(comparable(await call(own.owner, malformed)))
    const { status } = await call(other.owner, params)
    expect([status !== 404, status < 500]).toEqual([true, true])
  })
})

test('the API document lists every status that was observed', () => {
  expect([...api.unlistedStatuses]).toEqual([])
})
