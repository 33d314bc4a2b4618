import { defineCommand } from 'citty'
import { createApiKey, createServiceAccount } from '../../identity/service-accounts.ts'
import { Name, object } from '../../platform/http/schemas.ts'
import { createCheck } from '../../platform/http/validate.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { asOperator, tenantFlag } from '../operator.ts'
import { jsonFlag, print, withWorkspace } from '../with-database.ts'

const create = command({
  meta: { name: 'create', description: 'Create a service account with an API key' },
  args: {
    ...tenantFlag,
    name: { type: 'string', description: 'Name of the service account and its key', required: true },
    role: { type: 'string', description: 'admin or agent', default: 'admin' },
    scopes: { type: 'string', description: 'Only these scopes, separated by commas' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const { name, role } = args
    createCheck(object({ name: Name }))({ name })
    if (role !== 'admin' && role !== 'agent') throw new CliError('--role must be admin or agent')
    const scopes = args.scopes?.split(',').map(scope => scope.trim())
    return withWorkspace(args.tenant, async deps => {
      const created = await asOperator(deps, args.tenant, 'key create', async (tx, caller) => {
        const account = await createServiceAccount(deps, tx, caller, {
          name,
          role,
          ...(scopes ? { scopes } : {}),
        })
        const { apiKey, key } = await createApiKey(deps, tx, caller, account.id, { name })
        return { serviceAccountId: account.id, apiKeyId: apiKey.id, key }
      })
      print(args.json, created, [
        `service account ${created.serviceAccountId}`,
        `key             ${created.key} (shown once)`,
      ])
    })
  },
})

export const keyCommand = defineCommand({
  meta: { name: 'key', description: 'API keys' },
  subCommands: { create },
})
