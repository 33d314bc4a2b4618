/** A client that does what an integrator is told to: it tries again, with the same key, until it has an answer. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  call(method: string, path: string, body?: unknown): Promise<any>
  /** How often it had to try again. */
  retries(): number
}

const patienceMs = 120_000

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
      for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100)) {
        const answer = await once(method, path, body, id).catch(error => {
          last = error
        })
        const busy = answer?.status === 409 && answer.body.code === 'idempotency_key_in_use'
        if (answer && answer.status < 500 && answer.status !== 429 && !busy) {
          if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
          return answer.body
        }
        if (answer) last = answer.body
        retries++
      }
      throw new Error(`${method} ${path} was never answered: ${JSON.stringify(last)}`)
    },
  }
}
