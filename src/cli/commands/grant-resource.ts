import { grantProviderAccount, revokeProviderAccount } from '../../inboxes/grants.ts'
import { isProviderId } from '../../inboxes/schemas.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { asOperator, tenantFlag } from '../operator.ts'
import { jsonFlag, print, withDeps } from '../with-database.ts'

export const grantResourceCommand = command({
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
    return withDeps(async deps => {
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
