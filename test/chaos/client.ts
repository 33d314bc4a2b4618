/** An API client that retries with the same idempotency key until it gets a response, as the documentation advises. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Number of retries so far. */
  retries(): number
}

const timeoutMs = 120_000

export function retryingClient(url: string, key: string): Client {
  let retries = 0
  async function once(method: string, path: string, body: unknown, id: string) {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': id } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    retries: () => retries,
    async call(method, path, body) {
      const id = randomUUID()
      let last: unknown
      for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100)) {
        const response = await once(method, path, body, id).catch(error => {
          last = error
        })
        const busy = response?.status === 409 && response.body.code === 'idempotency_key_in_use'
        if (response && response.status < 500 && response.status !== 429 && !busy) {
          if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`)
          return response.body
        }
        if (response) last = response.body
        retries++
      }
      throw new Error(`${method} ${path} got no response: ${JSON.stringify(last)}`)
    },
  }
}
