/** Whether a request may leave is asked in the moment it would. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { callProvider, ProviderCallError } from './http-client.ts'

const seen: string[] = []
const server = createServer((request, response) => {
  seen.push(`heard ${request.url}`)
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

const ask = (path: string, may: boolean) =>
  callProvider({
    method: 'POST',
    url: at(path),
    body: '{}',
    holdsLease: () => {
      seen.push(`asked ${path}`)
      return may
    },
  })

const told = () => seen.splice(0).filter(one => one !== 'connected')

test('a request leaves when the answer is yes, once it has its connection', async () => {
  seen.length = 0
  await ask('/first', true)
  expect(seen.indexOf('asked /first')).toBeGreaterThan(seen.indexOf('connected'))
  expect(told()).toEqual(['asked /first', 'heard /first'])
})

test('a no leaves the provider without a word, and what comes after it unhurt', async () => {
  const refused = await ask('/second', false).catch(error => error)
  expect(refused).toBeInstanceOf(ProviderCallError)
  expect(refused.failure).toMatchObject({ kind: 'retryable', code: 'taken_over' })
  await ask('/third', true)
  expect(told()).toEqual(['asked /second', 'asked /third', 'heard /third'])
})
