/** Lease checks of the provider client. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { callProvider, ProviderCallError } from './http-client.ts'

const seen: string[] = []
const server = createServer((request, response) => {
  seen.push(`received ${request.url}`)
  response.end('{}')
})
server.on('connection', () => seen.push('connected'))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const call = (path: string, isHeld: boolean) =>
  callProvider({
    method: 'POST',
    url: at(path),
    body: '{}',
    holdsLease: () => {
      seen.push(`checked ${path}`)
      return isHeld
    },
  })

const takeLog = () => seen.splice(0).filter(one => one !== 'connected')

test('the lease is checked after the connection is established', async () => {
  seen.length = 0
  await call('/first', true)
  expect(seen.indexOf('checked /first')).toBeGreaterThan(seen.indexOf('connected'))
  expect(takeLog()).toEqual(['checked /first', 'received /first'])
})

test('a lost lease aborts the request and does not affect later ones', async () => {
  const refused = await call('/second', false).catch(error => error)
  expect(refused).toBeInstanceOf(ProviderCallError)
  expect(refused.failure).toMatchObject({ kind: 'retryable', code: 'taken_over' })
  await call('/third', true)
  expect(takeLog()).toEqual(['checked /second', 'checked /third', 'received /third'])
})
