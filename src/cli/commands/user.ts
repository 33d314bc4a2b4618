import { defineCommand } from 'citty'
import { requestPasswordReset } from '../../identity/auth/password-changes.ts'
import { removeSecondFactor } from '../../identity/auth/second-factor.ts'
import { roles } from '../../identity/rights/roles.ts'
import { InvitationRequest } from '../../identity/schemas.ts'
import { createInvitation } from '../../identity/users/invitations.ts'
import { findUserByEmail } from '../../identity/users/users.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Role } from '../../platform/http/caller.ts'
import { createCheck } from '../../platform/http/validate.ts'
import { getServiceUrl } from '../../server/installation/service-url.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { asOperator, tenantFlag } from '../operator.ts'
import { jsonFlag, print, withWorkspace } from '../with-database.ts'

const inviteCommand = command({
  meta: { name: 'invite', description: 'Invite a user to a workspace' },
  args: {
    ...tenantFlag,
    email: { type: 'string', description: 'E-mail address', required: true },
    role: { type: 'string', description: roles.join(', '), default: 'agent' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const input = { email: args.email, role: args.role as Role }
    createCheck(InvitationRequest)(input)
    return withWorkspace(args.tenant, async deps => {
      const { invitation, token } = await asOperator(deps, args.tenant, 'user invite', (tx, caller) =>
        createInvitation(deps, tx, caller, input),
      )
      const url = await getServiceUrl(deps.config)
      print(args.json, { ...invitation, token }, [
        `invited ${invitation.email} as ${invitation.role}, until ${invitation.expiresAt}`,
        `token   ${token} (shown once; send it to the user)`,
        `accept  POST ${url}/v1/auth/invitations/accept {"token", "name", "password"}`,
      ])
    })
  },
})

const emailFlag = {
  email: { type: 'string', description: 'E-mail address of the user', required: true },
} as const

const resetPasswordCommand = command({
  meta: {
    name: 'reset-password',
    description: 'Create a one-time token with which a user sets a new password',
  },
  args: { ...tenantFlag, ...emailFlag, ...jsonFlag },
  run: ({ args }) =>
    withWorkspace(args.tenant, async deps => {
      const { token, expiresAt } = await asOperator(
        deps,
        args.tenant,
        'user reset-password',
        async (tx, caller) => {
          const user = await getUserByEmail(tx, args.tenant, args.email)
          return requestPasswordReset(deps, tx, caller, user.id)
        },
      )
      const url = await getServiceUrl(deps.config)
      print(args.json, { token, expiresAt }, [
        `token   ${token} (shown once, until ${expiresAt}; send it to the user)`,
        `set     POST ${url}/v1/auth/password-reset {"token", "password"}`,
      ])
    }),
})

const removeSecondFactorCommand = command({
  meta: { name: 'remove-second-factor', description: 'Remove the second factor of a user who has lost it' },
  args: { ...tenantFlag, ...emailFlag, ...jsonFlag },
  run: ({ args }) =>
    withWorkspace(args.tenant, async deps => {
      await asOperator(deps, args.tenant, 'user remove-second-factor', async (tx, caller) => {
        const user = await getUserByEmail(tx, args.tenant, args.email)
        await removeSecondFactor(deps, tx, caller, user.id)
      })
      print(args.json, { email: args.email }, [`${args.email} logs in without a second factor`])
    }),
})

async function getUserByEmail(tx: Tx, tenantId: string, email: string): Promise<{ id: string }> {
  const user = await findUserByEmail(tx, tenantId, email)
  if (!user) throw new CliError(`user ${email} not found in workspace ${tenantId}`)
  return user
}

export const userCommand = defineCommand({
  meta: { name: 'user', description: 'Users' },
  subCommands: {
    invite: inviteCommand,
    'reset-password': resetPasswordCommand,
    'remove-second-factor': removeSecondFactorCommand,
  },
})
