/**
 * A typed client for the API: `createClient({ baseUrl, token })`, then `client.GET('/users/{userId}', …)`. Paths,
 * parameters, bodies and answers are typed from the API document.
 */
import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.generated.js'

export type ParleyClient = Client<paths>

export function createClient(options: { baseUrl: string; token: string }): ParleyClient {
  return createFetchClient<paths>({
    baseUrl: `${options.baseUrl.replace(/\/+$/, '')}/v1`,
    headers: { authorization: `Bearer ${options.token}` },
  })
}
