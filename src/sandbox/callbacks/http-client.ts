/** HTTP client for callbacks and verification handshakes. */
import { Agent, request } from 'undici'

export interface CallbackRequest {
  url: string
  headers: Record<string, string>
  body: string
}

const timeoutMs = 15_000

export class CallbackClient {
  readonly #agent = new Agent({
    connections: 32,
    pipelining: 1,
    keepAliveTimeout: 4000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: 5000 },
  })

  /** Returns the response status, or 0 without a response. */
  async post({ url, headers, body }: CallbackRequest): Promise<number> {
    try {
      const response = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent })
      await response.body.dump()
      return response.statusCode
    } catch {
      return 0
    }
  }

  async get(url: string): Promise<{ status: number; text: string }> {
    try {
      const response = await request(url, { dispatcher: this.#agent })
      return { status: response.statusCode, text: (await response.body.text()).slice(0, 1000) }
    } catch {
      return { status: 0, text: '' }
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}
