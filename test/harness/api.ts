/**
 * Starts the API over real HTTP on its own database, for one test file. Every response is validated against its schema.
 * `workspace()` creates a tenant with an owner; its `user()` and `key()` create callers of any role.
 */
import type { AddressInfo } from 'node:net'
import type { DestinationStream } from 'pino'
import { afterAll } from 'vitest'
import { routes } from '../../src/app.ts'
import { openCellSockets } from '../../src/app-realtime.ts'
import { createAuthenticator } from '../../src/identity/auth/authenticate.ts'
import { createAuthSession } from '../../src/identity/auth/sessions.ts'
import { UserId } from '../../src/identity/schemas.ts'
import { createApiKey, createServiceAccount } from '../../src/identity/service-accounts.ts'
import { replaceTeamsOfUser } from '../../src/identity/store/teams.ts'
import { insertUser } from '../../src/identity/store/users.ts'
import { createWorkspace } from '../../src/identity/workspace/tenants.ts'
import type { Config } from '../../src/platform/config.ts'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import { transact } from '../../src/platform/db/transact.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { Caller, Role } from '../../src/platform/http/caller.ts'
import { listStatuses } from '../../src/platform/http/openapi/problem-responses.ts'
import { toUrlPattern } from '../../src/platform/http/serve-route.ts'
import { buildServer } from '../../src/platform/http/server.ts'
import { loadConsole, registerConsole } from '../../src/server/http/console.ts'
import { buildWidgetOptions, registerWidget } from '../../src/server/http/widget.ts'
import { createVisitorAuthenticator } from '../../src/webchat/visitors/visitors.ts'
import { testDeps } from './deps.ts'
import { copyInstallation, type TestCell, type TestInstallation } from './other-cells.ts'
import type { TestDeps } from './other-process.ts'

export interface ApiResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
  body: any
}

export interface Client {
  url: string
  id: string
  tenantId: string
  token: string
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
}

export interface Workspace {
  tenantId: string
  teamId: string
  owner: Client
  /** Creates a user with the role and logs in. */
  user(role: Role, teamIds?: string[]): Promise<Client>
  /** Creates another session of the owner and returns its id. */
  ownerSession(): Promise<string>
  /** Creates a service account with a key. */
  key(options?: { role?: 'admin' | 'agent'; scopes?: string[] }): Promise<Client>
}

export interface ApiOptions {
  logTo?: DestinationStream
  console?: boolean
  /** With TEST_CELLS, creates each workspace in the next cell; the file uses `depsOf` for the rows of a workspace. */
  spread?: boolean
}

export interface TestApi {
  url: string
  /** Of the last cell. */
  deps: TestDeps
  cells: readonly TestCell[]
  /** Returns the dependencies of the cell of a workspace. */
  depsOf(tenantId: string): Promise<TestDeps>
  connection: ConnectionConfig
  anonymous: Client
  workspace(name?: string): Promise<Workspace>
  /** Statuses that an operation responded with although the API document does not list them for it. */
  unlistedStatuses: ReadonlySet<string>
  /** Returns a client of the same caller for this server. */
  as(caller: Client): Client
  /** Starts a second server on the same database, like another process. */
  another(config?: Partial<Config>): Promise<TestApi>
}

export async function testApi(env: Record<string, string> = {}, options: ApiOptions = {}): Promise<TestApi> {
  const { installation } = await testDeps(env, options.logTo, options)
  return startApi(installation, options)
}

async function startApi(installation: TestInstallation, options: ApiOptions): Promise<TestApi> {
  const { deps, connection } = installation.cells.at(-1)!
  const authenticate = createAuthenticator(deps)
  const listed = new Map(routes.map(route => [`${route.method} ${toUrlPattern(route)}`, listStatuses(route)]))
  const unlistedStatuses = new Set<string>()
  const app = await buildServer({
    deps,
    routes,
    authenticate,
    authenticateVisitor: createVisitorAuthenticator(deps),
    pageKey: deps.keys.current('page-tokens'),
    checkResponses: true,
    observe: (url, method, status) => {
      const operation = `${method} ${url}`
      if (listed.get(operation)?.has(status) === false) unlistedStatuses.add(`${operation} → ${status}`)
    },
  })
  const console = options.console ? loadConsole(deps.config) : undefined
  if (console) {
    await registerConsole(app, console)
    await registerWidget(app, buildWidgetOptions(deps))
  }
  const cells = installation.cells.map(cell => cell.deps)
  const realtime = openCellSockets(cells, { getBuild: () => console?.build })
  app.server.on('upgrade', realtime.upgrade)
  await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await realtime.stop()
    await app.close()
  })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    url,
    deps,
    connection,
    unlistedStatuses,
    anonymous: client(url, '', '', ''),
    cells: installation.cells,
    depsOf: async tenantId => (await deps.cells.of(tenantId)) as TestDeps,
    workspace: name => createTestWorkspace(url, installation.place(), name),
    as: caller => client(url, caller.tenantId, caller.id, caller.token),
    another: config =>
      startApi(copyInstallation(installation, config, options.spread ?? false), {
        ...options,
        console: false,
      }),
  }
}

export async function createTestWorkspace(url: string, deps: Deps, name = 'Test'): Promise<Workspace> {
  const email = () => `${UserId.create()}@example.com`
  const { tenantId, ownerId, teamId } = await transact(deps.db, tx =>
    createWorkspace(tx, { name, owner: { name: 'Owner', email: email(), passwordHash: null } }),
  )
  const logIn = async (userId: string) => {
    const { accessToken } = await transact(deps.db, tx => createAuthSession(deps, tx, { tenantId, userId }))
    return client(url, tenantId, userId, accessToken)
  }
  const creator: Caller = {
    tenantId,
    id: ownerId,
    kind: 'user',
    role: 'owner',
    scopes: deps.roleScopes.owner,
    teamIds: [],
  }
  return {
    tenantId,
    teamId,
    owner: await logIn(ownerId),
    ownerSession: async () => {
      const { token } = await logIn(ownerId)
      return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid
    },
    user: async (role, teamIds = []) => {
      const id = UserId.create()
      await transact(deps.db, async tx => {
        await insertUser(tx, tenantId, {
          id,
          name: `A ${role}`,
          email: email(),
          role,
          provider: 'password',
          passwordHash: null,
          invited: false,
        })
        await replaceTeamsOfUser(tx, tenantId, id, teamIds)
      })
      return logIn(id)
    },
    key: async (options = {}) =>
      transact(deps.db, async tx => {
        const account = await createServiceAccount(deps, tx, creator, { name: 'Robot', ...options })
        const { key } = await createApiKey(deps, tx, creator, account.id, { name: 'Key' })
        return client(url, tenantId, account.id, key)
      }),
  }
}

export function client(url: string, tenantId: string, id: string, token: string): Client {
  const request: Client['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }
  return {
    url,
    id,
    tenantId,
    token,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    delete: (path, headers) => request('DELETE', path, undefined, headers),
  }
}
