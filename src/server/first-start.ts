/**
 * The first start of an empty installation makes a workspace to begin with. Its credentials are written to the data
 * directory before anybody is told that the service is ready; a start that died in between is made up for by the next.
 */
import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { hashPassword } from '../identity/auth/passwords.ts'
import { createApiKey, createServiceAccount } from '../identity/service-accounts.ts'
import { createWorkspace, hasTenants } from '../identity/tenants.ts'
import { connectInboxes } from '../inboxes/inboxes.ts'
import { findSandboxAccounts } from '../inboxes/provider-lookup.ts'
import type { Config } from '../platform/config.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import { lockFirstStart } from './store.ts'

export interface Credentials {
  baseUrl: string
  tenantId: string
  owner: { email: string; password: string }
  apiKey: string
}

/** With an inbox to try things on, while the sandbox is on. */
export type FirstWorkspace = Credentials & { inboxId: string | undefined }

export function credentialsPath(config: Config): string {
  return path.join(config.dataDir, 'credentials.json')
}

/** Gives the credentials when this start made them. */
export async function createFirstWorkspace(deps: Deps): Promise<FirstWorkspace | undefined> {
  if (await hasTenants(deps.db)) {
    await updateBaseUrl(deps.config)
    return undefined
  }
  const owner = { email: 'owner@parley.local', password: randomBytes(12).toString('base64url') }
  const passwordHash = await hashPassword(owner.password)
  const inboxes = await findSandboxAccounts(deps)
  return transact(deps.db, async tx => {
    await lockFirstStart(tx)
    if (await hasTenants(tx)) return undefined // another process was faster
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
      description: 'Made at the first start',
    })
    const { key } = await createApiKey(deps, tx, caller, account.id, { name: 'First key' })
    const [inbox] = await connectInboxes(tx, caller, inboxes)
    const credentials = { baseUrl: deps.config.publicUrl, tenantId, owner, apiKey: key }
    // Before the commit: a workspace whose password nobody has would be worse than a file without its workspace.
    await writeCredentials(deps.config, credentials)
    return { ...credentials, inboxId: inbox?.id }
  })
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

/** Started on another port or address, the file says where we are now. What an operator made of it is left alone. */
async function updateBaseUrl(config: Config): Promise<void> {
  const credentials = await readFile(credentialsPath(config), 'utf8')
    .then(text => JSON.parse(text) as Credentials)
    .catch(() => undefined)
  if (credentials?.baseUrl && credentials.baseUrl !== config.publicUrl)
    await writeCredentials(config, { ...credentials, baseUrl: config.publicUrl })
}

/** Lines that work as pasted, without showing a secret that would then live in somebody's log. */
export function buildWelcome(config: Config, inboxId: string | undefined): string {
  const { publicUrl } = config
  const file = credentialsPath(config)
  const key = `$(node -p 'require(process.argv[1]).apiKey' ${quoted(file)})`
  const curl = `curl -s -H "Authorization: Bearer ${key}"`
  return [
    '',
    `  Parley runs at ${publicUrl} (API reference: ${publicUrl}/docs)`,
    `  A workspace was made for you; its credentials are in ${file}`,
    '',
    '  Try:',
    ...(inboxId ? messagingLines(curl, publicUrl, inboxId) : plainLines(curl, publicUrl)).map(
      line => `    ${line}`,
    ),
    '',
  ].join('\n')
}

/** List the inboxes, send a message, see it delivered. */
function messagingLines(curl: string, publicUrl: string, inboxId: string): string[] {
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

function plainLines(curl: string, publicUrl: string): string[] {
  return [
    `${curl} ${publicUrl}/v1/users`,
    `${curl} ${publicUrl}/v1/teams`,
    `${curl} -H 'Content-Type: application/json' -d '{"name":"Sales"}' ${publicUrl}/v1/teams`,
  ]
}

/** As one word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
