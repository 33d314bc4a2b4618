/** Commands that talk to a running service over HTTP, as any client would: here, or anywhere. */
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { request } from 'undici'
import { readConfig } from '../platform/config.ts'
import { type Credentials, credentialsPath } from '../server/first-start.ts'
import { CliError } from './errors.ts'

export const apiFlags = {
  url: {
    type: 'string',
    description: 'Where the service is (PARLEY_URL; else from credentials.json in DATA_DIR)',
  },
  key: {
    type: 'string',
    description: 'An API key (PARLEY_API_KEY, which ps does not show; else from there too)',
  },
} as const

/** The service is away; it may come back. */
export class ServiceUnreachable extends CliError {}

export interface ApiClient {
  base: string
  authorization: string
  /** An answer that is no success is told in one line. A stream is sent as fast as it is taken. */
  call<T>(method: 'GET' | 'POST', path: string, sent?: { type: string; body: Readable }): Promise<T>
}

export async function connectApi(flags: { url?: string; key?: string }): Promise<ApiClient> {
  const [url = process.env.PARLEY_URL, key = process.env.PARLEY_API_KEY] = [flags.url, flags.key]
  const { baseUrl, apiKey } = url && key ? { baseUrl: url, apiKey: key } : await readCredentials()
  const base = (url ?? baseUrl).replace(/\/+$/, '')
  if (!URL.canParse(base)) throw new CliError(`${base} is not a URL`)
  const authorization = `Bearer ${key ?? apiKey}`
  return {
    base,
    authorization,
    call: async <T>(method: 'GET' | 'POST', path: string, sent?: { type: string; body: Readable }) => {
      const type = sent ? { 'content-type': sent.type } : {}
      const headers = { authorization, ...type }
      const answer = await request(`${base}/v1${path}`, { method, headers, body: sent?.body }).catch(
        error => {
          throw new ServiceUnreachable(
            `${base} cannot be reached: ${(error as { code?: string }).code ?? error}`,
          )
        },
      )
      const text = await answer.body.text()
      if (answer.statusCode === 503) throw new ServiceUnreachable(refusalOf(503, text))
      if (answer.statusCode >= 300) throw new CliError(refusalOf(answer.statusCode, text))
      return JSON.parse(text) as T
    },
  }
}

async function readCredentials(): Promise<Pick<Credentials, 'baseUrl' | 'apiKey'>> {
  const file = credentialsPath(readConfig(process.env))
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials
  } catch {
    throw new CliError(`there are no credentials in ${file}: give --url and --key, or set DATA_DIR`)
  }
}

function refusalOf(status: number, text: string): string {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: string; title?: string }
    return `${detail ?? title} (${status})`
  } catch {
    return `the answer was ${status}`
  }
}
