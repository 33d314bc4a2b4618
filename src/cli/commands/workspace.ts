import { randomBytes } from 'node:crypto'
import { defineCommand } from 'citty'
import { assertStrongPassword } from '../../identity/auth/password-strength.ts'
import { hashPassword } from '../../identity/auth/passwords.ts'
import { WorkspaceRequest } from '../../identity/schemas.ts'
import { createWorkspace } from '../../identity/workspace/tenants.ts'
import { grantProviderAccount, revokeProviderAccount } from '../../inboxes/accounts/accounts.ts'
import { isProviderId } from '../../inboxes/schemas.ts'
import { transact } from '../../platform/db/transact.ts'
import { createCheck } from '../../platform/http/validate.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { asOperator, tenantFlag } from '../operator.ts'
import { jsonFlag, print, withInstallation, withWorkspace } from '../with-database.ts'
import { workspaceMove } from './workspace-move.ts'

const create = command({
  meta: { name: 'create', description: 'Create a workspace and its owner' },
  args: {
    name: { type: 'string', description: 'Name of the workspace', required: true },
    email: { type: 'string', description: 'E-mail address of the owner', required: true },
    'owner-name': { type: 'string', description: 'Name of the owner', default: 'Owner' },
    password: {
      type: 'string',
      description: 'Password of the owner (default: a random password, which is printed)',
    },
    cell: { type: 'string', description: 'Cell of the workspace (default: the one with the most room)' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const password = args.password ?? randomBytes(12).toString('base64url')
    const owner = { name: args['owner-name'], email: args.email }
    createCheck(WorkspaceRequest)({ name: args.name, owner: { ...owner, password } })
    assertStrongPassword('password', password, { email: args.email, workspace: args.name })
    return withInstallation(async installation => {
      const deps = await installation.place(args.cell)
      const passwordHash = await hashPassword(password)
      const { tenantId, ownerId } = await transact(deps.db, tx =>
        createWorkspace(tx, { name: args.name, owner: { ...owner, passwordHash } }),
      )
      await deps.cells.record(tenantId, deps)
      const generated = args.password === undefined ? { password } : {}
      print(args.json, { tenantId, ownerId, ...generated }, [
        `workspace ${tenantId}`,
        `owner     ${ownerId} (${args.email})`,
        ...(args.password === undefined ? [`password  ${password} (shown once)`] : []),
      ])
    })
  },
})

const grantResource = command({
  meta: {
    name: 'grant-resource',
    description: "Grant a workspace a business account that the deployment's token can access",
  },
  args: {
    ...tenantFlag,
    channel: { type: 'string', description: 'chatapp or socialapp', required: true },
    resource: { type: 'string', description: 'Id of the business account at the provider', required: true },
    revoke: {
      type: 'boolean',
      description: 'Revoke the grant; connected inboxes stay connected',
      default: false,
    },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const { tenant, channel, resource, revoke } = args
    if (channel !== 'chatapp' && channel !== 'socialapp')
      throw new CliError('--channel must be chatapp or socialapp; sms accounts have their own credentials')
    if (!isProviderId(resource)) throw new CliError("--resource must be a provider's account id")
    return withWorkspace(tenant, async deps => {
      await asOperator(deps, tenant, `workspace grant-resource ${channel} ${resource}`, async tx => {
        if (!revoke) return grantProviderAccount(tx, tenant, channel, resource)
        if (!(await revokeProviderAccount(tx, tenant, channel, resource)))
          throw new CliError(`${channel} ${resource} was not granted`)
      })
      const line = `${channel} ${resource} ${revoke ? 'revoked from' : 'granted to'} ${tenant}`
      print(args.json, { tenantId: tenant, channel, resourceId: resource, granted: !revoke }, [line])
    })
  },
})

export const workspaceCommand = defineCommand({
  meta: { name: 'workspace', description: 'Workspaces' },
  subCommands: { create, 'grant-resource': grantResource, move: workspaceMove },
})
