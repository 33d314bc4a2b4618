/** Logs in as a browser does, and sends requests with the session cookie. */
import { request as sendRequest } from 'node:http'
import { type ApiResponse, type Client, client, type TestApi } from '../../../test/harness/api.ts'
import { password } from './users.ts'

export const ownPage = { 'sec-fetch-site': 'same-origin' }

export interface Browser extends Client {
  /** Name and value of the session cookie. */
  cookie: string
}

export function readSetCookie({ headers }: Pick<ApiResponse, 'headers'>): string {
  return headers.getSetCookie()[0] ?? ''
}

/** Returns a client that sends the cookie, from a page of the service unless the headers say otherwise. */
export function browserWithCookie(api: Pick<TestApi, 'url'>, cookie: string): Browser {
  const plain = client(api.url, '', '', '')
  const request: Client['request'] = (method, path, body, headers = ownPage) =>
    plain.request(method, path, body, { cookie, ...headers })
  return {
    ...plain,
    cookie,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    delete: (path, headers) => request('DELETE', path, undefined, headers),
  }
}

export function startSession(api: TestApi, email: string, headers: Record<string, string> = ownPage) {
  return api.anonymous.post('/auth/sessions', { email, password }, headers)
}

export async function logInBrowser(api: TestApi, email: string): Promise<Browser> {
  const response = await startSession(api, email)
  if (response.status !== 204) throw new Error(JSON.stringify(response.body))
  return browserWithCookie(api, readSetCookie(response).split(';')[0]!)
}

/** Sends a request as if the service were reached at another host. */
export function requestAtHost(
  api: Pick<TestApi, 'url'>,
  host: string,
  options: { method: string; path: string; body?: object; headers?: Record<string, string> },
): Promise<{ status: number; setCookie: string; body: { code?: string } }> {
  const { method, path, body, headers = {} } = options
  const text = body === undefined ? undefined : JSON.stringify(body)
  const content = text === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = sendRequest(
      `${api.url}/v1${path}`,
      { method, headers: { host, ...content, ...headers }, agent: false },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode!,
            setCookie: response.headers['set-cookie']?.[0] ?? '',
            body: received === '' ? {} : JSON.parse(received),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
