/** Another workspace's id, an unknown id and a malformed id are the same 404, in every operation that takes one. */
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { toOperation } from '../../src/platform/http/route.ts'
import { testApi } from '../harness/api.ts'
import { playProviders } from '../harness/sandbox.ts'
import { factories } from './factories.ts'

const api = await testApi()
await playProviders(api)
const theirs = await api.workspace('Theirs')
const mine = await api.workspace('Mine')
const withIds = routes.filter(route => route.path.includes('{') && route.access !== 'public')

test('every path with an id has a thing to try it with', () => {
  expect(withIds.map(route => route.path).filter(path => !factories[path])).toEqual([])
})

const fill = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
/** What may differ between two answers that tell nothing: when and where, not what. */
const told = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  ...body,
  requestId: '',
  instance: '',
})

describe.each(
  withIds
    .filter(route => factories[route.path] && !factories[route.path]!.isOutside)
    .map(route => ({ route, operation: toOperation(route) })),
)('$operation', ({ route }) => {
  test('404 alike for what is theirs, unknown and malformed; theirs stays as it was', async () => {
    const thing = factories[route.path]!
    const params = await thing.params(theirs)
    const isFixed = (name: string) => thing.fixed?.includes(name) ?? false
    const unknown = Object.fromEntries(
      Object.entries(params).map(([name, id]) => [name, isFixed(name) ? id : `${id.slice(0, -6)}000000`]),
    )
    const malformed = Object.fromEntries(
      Object.entries(params).map(([name, id]) => [name, isFixed(name) ? id : 'x y']),
    )
    const body = typeof thing.body === 'function' ? await thing.body(theirs, params) : thing.body
    const ask = (client: typeof mine.owner, ids: Record<string, string>) =>
      client.request(route.method, fill(route.path, ids), body?.[route.method], thing.headers)
    const [foreign, absent, odd] = [
      await ask(mine.owner, params),
      await ask(mine.owner, unknown),
      await ask(mine.owner, malformed),
    ]
    expect(foreign.status, JSON.stringify(foreign.body)).toBe(404)
    expect(told(foreign)).toEqual(told(absent))
    expect(told(foreign)).toEqual(told(odd))
    const own = (await ask(theirs.owner, params)).status
    expect([own !== 404, own < 500]).toEqual([true, true])
  })
})
