/** The providers' HTTP client: one call to a registered address, and whether it was accepted. */
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

  /** The status of the answer; 0 when there was none. */
  async post({ url, headers, body }: CallbackRequest): Promise<number> {
    try {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent })
      await answer.body.dump()
      return answer.statusCode
    } catch {
      return 0
    }
  }

  async get(url: string): Promise<{ status: number; text: string }> {
    try {
      const answer = await request(url, { dispatcher: this.#agent })
      return { status: answer.statusCode, text: (await answer.body.text()).slice(0, 1000) }
    } catch {
      return { status: 0, text: '' }
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}
