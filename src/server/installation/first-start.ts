/**
 * Creates the first workspace when an empty installation starts. Its credentials are written to the data directory
 * before the service is ready; a start that was killed in between is repeated by the next one.
 */
import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { hashPassword } from '../../identity/auth/passwords.ts'
import { createApiKey, createServiceAccount } from '../../identity/service-accounts.ts'
import { createWorkspace, hasTenants } from '../../identity/workspace/tenants.ts'
import { findSandboxAccounts } from '../../inboxes/accounts/provider-lookup.ts'
import { connectInboxes } from '../../inboxes/inboxes.ts'
import type { Config } from '../../platform/config.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { lockFirstStart } from '../store.ts'

export interface Credentials {
  baseUrl: string
  tenantId: string
  owner: { email: string; password: string }
  apiKey: string
}

/** The credentials, with the id of a sandbox inbox where the sandbox is on. */
export type FirstWorkspace = Credentials & { inboxId: string | undefined }

export function credentialsPath(config: Config): string {
  return path.join(config.dataDir, 'credentials.json')
}

/** Returns the credentials if this start created them. With several cells, all must be reachable and empty. */
export async function createFirstWorkspace(deps: Deps): Promise<FirstWorkspace | undefined> {
  const { cells } = deps
  if (!cells.isComplete) return undefined
  const areUsed = await Promise.all(cells.all.map(cell => hasTenants(cell.db)))
  if (areUsed.includes(true)) {
    await updateBaseUrl(deps.config)
    return undefined
  }
  return createIn(cells.home)
}

async function createIn(deps: Deps): Promise<FirstWorkspace | undefined> {
  const owner = { email: 'owner@parley.local', password: randomBytes(12).toString('base64url') }
  const passwordHash = await hashPassword(owner.password)
  const inboxes = await findSandboxAccounts(deps)
  const first = await transact(deps.db, async tx => {
    await lockFirstStart(tx)
    if (await hasTenants(tx)) return undefined // another process has created it
    const { tenantId, ownerId } = await createWorkspace(tx, {
      name: 'My workspace',
      owner: { name: 'Owner', email: owner.email, passwordHash },
    })
    const caller: Caller = {
      tenantId,
      id: ownerId,
      kind: 'user',
      role: 'owner',
      scopes: deps.roleScopes.owner,
      teamIds: [],
    }
    const account = await createServiceAccount(deps, tx, caller, {
      name: 'First key',
      description: 'Created at the first start',
    })
    const { key } = await createApiKey(deps, tx, caller, account.id, { name: 'First key' })
    const [inbox] = await connectInboxes(tx, caller, inboxes)
    const credentials = { baseUrl: deps.config.publicUrl, tenantId, owner, apiKey: key }
    // Before the commit: a workspace with a lost password would be worse than a file without its workspace.
    await writeCredentials(deps.config, credentials)
    return { ...credentials, inboxId: inbox?.id }
  })
  if (first) {
    await deps.cells.record(first.tenantId, deps)
    await deps.cells.reserve(first.tenantId, inboxes)
  }
  return first
}

async function writeCredentials(config: Config, credentials: Credentials): Promise<void> {
  const file = credentialsPath(config)
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(`${JSON.stringify(credentials, null, 2)}\n`)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
  const directory = await open(config.dataDir)
  await directory.sync().finally(() => directory.close())
}

/** Updates the address in the credentials file after a change of port or address. Leaves the rest as it is. */
async function updateBaseUrl(config: Config): Promise<void> {
  const credentials = await readFile(credentialsPath(config), 'utf8')
    .then(text => JSON.parse(text) as Credentials)
    .catch(() => undefined)
  if (credentials?.baseUrl && credentials.baseUrl !== config.publicUrl)
    await writeCredentials(config, { ...credentials, baseUrl: config.publicUrl })
}

/** Builds shell lines that can be pasted. They contain no secret, because the output may end up in a log. */
export function buildWelcome(config: Config, inboxId: string | undefined): string {
  const { publicUrl } = config
  const file = credentialsPath(config)
  const key = `$(node -p 'require(process.argv[1]).apiKey' ${shellQuote(file)})`
  const curl = `curl -s -H "Authorization: Bearer ${key}"`
  return [
    '',
    `  Parley runs at ${publicUrl} (API reference: ${publicUrl}/docs)`,
    `  A workspace was created for you; its credentials are in ${file}`,
    '',
    ...(inboxId ? [`  Write to yourself in the web chat: ${publicUrl}/demo`, ''] : []),
    '  Try:',
    ...(inboxId ? messagingExamples(curl, publicUrl, inboxId) : basicExamples(curl, publicUrl)).map(
      line => `    ${line}`,
    ),
    '',
  ].join('\n')
}

function messagingExamples(curl: string, publicUrl: string, inboxId: string): string[] {
  const message = {
    recipient: { type: 'phone', phoneNumber: '+14155550123' },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  }
  const newest = `$(${curl} '${publicUrl}/v1/conversations?pageSize=1' | node -p 'JSON.parse(fs.readFileSync(0)).conversations[0].id')`
  return [
    `${curl} ${publicUrl}/v1/inboxes`,
    `${curl} -H 'Content-Type: application/json' -d '${JSON.stringify(message)}' ${publicUrl}/v1/messages`,
    `${curl} ${publicUrl}/v1/conversations/${newest}/messages`,
  ]
}

function basicExamples(curl: string, publicUrl: string): string[] {
  return [
    `${curl} ${publicUrl}/v1/users`,
    `${curl} ${publicUrl}/v1/teams`,
    `${curl} -H 'Content-Type: application/json' -d '{"name":"Sales"}' ${publicUrl}/v1/teams`,
  ]
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
