/** Calls the API of a running service over HTTP, for commands. */
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { request } from 'undici'
import { readConfig } from '../platform/config.ts'
import { type Credentials, credentialsPath } from '../server/installation/first-start.ts'
import { CliError } from './errors.ts'

export const apiFlags = {
  url: {
    type: 'string',
    description: 'URL of the service (default: PARLEY_URL, then credentials.json in DATA_DIR)',
  },
  key: {
    type: 'string',
    description: 'API key (default: PARLEY_API_KEY, which ps does not show, then credentials.json)',
  },
} as const

/** The service cannot be reached now; the call may be retried. */
export class ServiceUnreachable extends CliError {}

interface Upload {
  type: string
  body: Readable
}

export interface ApiClient {
  base: string
  authorization: string
  /** Throws a one-line `CliError` unless the response is a success. */
  call<T>(method: 'GET' | 'POST', path: string, upload?: Upload): Promise<T>
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
    call: async <T>(method: 'GET' | 'POST', path: string, upload?: Upload) => {
      const type = upload ? { 'content-type': upload.type } : {}
      const headers = { authorization, ...type }
      const response = await request(`${base}/v1${path}`, { method, headers, body: upload?.body }).catch(
        error => {
          throw new ServiceUnreachable(
            `${base} cannot be reached: ${(error as { code?: string }).code ?? error}`,
          )
        },
      )
      const text = await response.body.text()
      if (response.statusCode === 503) throw new ServiceUnreachable(toErrorLine(503, text))
      if (response.statusCode >= 300) throw new CliError(toErrorLine(response.statusCode, text))
      return JSON.parse(text) as T
    },
  }
}

async function readCredentials(): Promise<Pick<Credentials, 'baseUrl' | 'apiKey'>> {
  const file = credentialsPath(readConfig(process.env))
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials
  } catch {
    throw new CliError(`no credentials found in ${file}: use --url and --key, or set DATA_DIR`)
  }
}

function toErrorLine(status: number, text: string): string {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: string; title?: string }
    return `${detail ?? title} (${status})`
  } catch {
    return `the service answered ${status}`
  }
}
