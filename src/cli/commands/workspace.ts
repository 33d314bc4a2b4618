import { randomBytes } from 'node:crypto'
import { defineCommand } from 'citty'
import { assertStrongPassword } from '../../identity/auth/password-strength.ts'
import { hashPassword } from '../../identity/auth/passwords.ts'
import { WorkspaceRequest } from '../../identity/schemas.ts'
import { createWorkspace } from '../../identity/tenants.ts'
import { transact } from '../../platform/db/transact.ts'
import { createCheck } from '../../platform/http/validate.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withDeps } from '../with-database.ts'
import { grantResourceCommand } from './grant-resource.ts'

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
    ...jsonFlag,
  },
  run: ({ args }) => {
    const password = args.password ?? randomBytes(12).toString('base64url')
    const owner = { name: args['owner-name'], email: args.email }
    createCheck(WorkspaceRequest)({ name: args.name, owner: { ...owner, password } })
    assertStrongPassword('password', password, { email: args.email, workspace: args.name })
    return withDeps(async deps => {
      const passwordHash = await hashPassword(password)
      const { tenantId, ownerId } = await transact(deps.db, tx =>
        createWorkspace(tx, { name: args.name, owner: { ...owner, passwordHash } }),
      )
      const generated = args.password === undefined ? { password } : {}
      print(args.json, { tenantId, ownerId, ...generated }, [
        `workspace ${tenantId}`,
        `owner     ${ownerId} (${args.email})`,
        ...(args.password === undefined ? [`password  ${password} (shown once)`] : []),
      ])
    })
  },
})

export const workspaceCommand = defineCommand({
  meta: { name: 'workspace', description: 'Workspaces' },
  subCommands: { create, 'grant-resource': grantResourceCommand },
})
