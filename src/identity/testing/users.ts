/** Creates users with passwords, logs them in, and sends requests from other addresses. */
import { request } from 'node:http'
import { type ApiResponse, client, type TestApi } from '../../../test/harness/api.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Role } from '../../platform/http/caller.ts'
import { hashPassword } from '../auth/passwords.ts'
import { UserId } from '../schemas.ts'
import { insertUser } from '../store/users.ts'

export const password = 'correct horse battery'
// Made once: hashing is slow by design.
let hashed: Promise<string> | undefined

export interface TestUser {
  id: string
  tenantId: string
  email: string
}

export async function createTestUser(
  api: TestApi,
  tenantId: string,
  options: { email?: string; role?: Role; passwordHash?: string | null; invited?: boolean } = {},
): Promise<TestUser> {
  hashed ??= hashPassword(password)
  const id = UserId.create()
  const { email = `${id}@example.com`, role = 'agent', invited = false } = options
  const passwordHash = options.passwordHash === undefined ? await hashed : options.passwordHash
  const row = { id, name: 'Test user', email, role, provider: 'password', passwordHash, invited }
  const { db } = await api.depsOf(tenantId)
  await transact(db, tx => insertUser(tx, tenantId, row))
  return { id, tenantId, email }
}

export function logIn(
  api: TestApi,
  email: string,
  secret = password,
  extra: object = {},
): Promise<ApiResponse> {
  return api.anonymous.post('/auth/login', { email, password: secret, ...extra })
}

export function logInFrom(
  address: string,
  api: TestApi,
  email: string,
  secret = password,
): Promise<ApiResponse> {
  return postFrom(address, api, '/auth/login', { email, password: secret })
}

/** Sends a request without a token from another address of this machine; all of 127.0.0.0/8 is here. */
export function postFrom(address: string, api: TestApi, path: string, json: object): Promise<ApiResponse> {
  const body = JSON.stringify(json)
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sentRequest = request(
      `${api.url}/v1${path}`,
      { method: 'POST', localAddress: address, headers, agent: false },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: new Headers(response.headers as Record<string, string>),
            body: JSON.parse(Buffer.concat(chunks).toString()),
          }),
        )
      },
    )
    sentRequest.on('error', reject)
    sentRequest.end(body)
  })
}

export function clientWithToken(api: TestApi, token: string) {
  return client(api.url, '', '', token)
}
