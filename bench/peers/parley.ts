/** Starts the service as an operator would, on the database server of the comparison. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { freePort, startPeer } from './peer.ts'
import { type Server, toUrl } from './server.ts'

export interface ParleyPeer {
  url: string
  tenantId: string
  headers: Record<string, string>
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  stop(): Promise<void>
}

export async function startParley(server: Server): Promise<ParleyPeer> {
  const port = await freePort()
  const dir = path.join(server.dir, 'ours')
  const url = `http://127.0.0.1:${port}`
  const env = {
    DATA_DIR: dir,
    PORT: String(port),
    DATABASE_URL: toUrl(server.own),
    SECRET_KEY: 'a secret of the benchmark, of forty letters',
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
  }
  const file = path.resolve(import.meta.dirname, '../../bin/parley.js')
  const ready = async () => (await fetch(`${url}/readyz`)).status === 200
  const stop = await startPeer({ file, args: ['serve'], env, dir }, ready)
  const { apiKey, tenantId } = JSON.parse(readFileSync(path.join(dir, 'credentials.json'), 'utf8'))
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return {
    url,
    tenantId,
    headers,
    stop,
    call: async (method, at, body) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const answer = await fetch(`${url}/v1${at}`, {
        method,
        headers: sent ? headers : { authorization: headers.authorization },
        body: sent,
      })
      const responseText = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${responseText}`)
      return responseText ? JSON.parse(responseText) : undefined
    },
  }
}
