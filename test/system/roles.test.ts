/** Processes with one role each on a shared database. */
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { eventually, fresh, scratch, start } from './program.ts'

const root = scratch()

function openSocket(url: string, token: string): { types: string[]; closed: Promise<string> } {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/realtime`, {
    headers: { authorization: `Bearer ${token}` },
  })
  onTestFinished(() => socket.terminate())
  const types: string[] = []
  socket.on('message', text => types.push(JSON.parse(String(text)).type))
  return { types, closed: new Promise(resolve => socket.once('error', error => resolve(error.message))) }
}

test('the realtime role serves sockets, health and metrics only; the http role serves no sockets', async () => {
  const database = await startEmbedded({ dataDir: fresh(root, 'database') })
  onTestFinished(() => database.stop())
  const env = {
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(database.connection.host)}&user=parley`,
    SECRET_KEY: 'a secret of tests, and of nothing else',
    SANDBOX: 'off',
  }
  const roles = (names: string) => start({ dataDir: fresh(root, names), env, args: ['--roles', names] })
  const api = await roles('http,worker')
  await api.ready()
  const realtime = await roles('realtime')
  await realtime.ready()
  const { apiKey } = api.credentials()

  const status = async (path: string) => (await fetch(`${realtime.url}${path}`)).status
  expect(await status('/healthz')).toBe(200)
  expect(await status('/v1/users')).toBe(404)
  expect(await status('/v1/openapi.json')).toBe(404)
  const proxied = await fetch(`${realtime.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(proxied.status).toBe(401)
  expect(await (await fetch(`${realtime.url}/metrics`)).text()).toContain('parley_sockets_open 0')

  const { types } = openSocket(realtime.url, apiKey)
  expect(await eventually(() => types.includes('hello'))).toBe(true)
  expect((await api.call('POST', '/contacts', { name: 'Ada' })).status).toBe(201)
  expect(await eventually(() => types.includes('contact.created'))).toBe(true)
  expect(await openSocket(api.url, apiKey).closed).toMatch(/404/)

  for (const [service, names] of [
    [realtime, 'realtime'],
    [api, 'http,worker'],
  ] as const) {
    const { pid } = service
    expect(service.log().length).toBeGreaterThan(2)
    for (const line of service.log()) expect(line).toMatchObject({ pid, roles: names })
  }
  for (const service of [realtime, api]) expect(await service.stop()).toEqual({ code: 0, signal: null })
})
