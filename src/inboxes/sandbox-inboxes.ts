/** One inbox on each channel that the sandbox plays, so that a newcomer can send and receive within a minute. */
import type { Deps } from '../platform/deps.ts'
import { encryptToken } from './accounts.ts'
import { findProviderAccounts, findSmsAccounts, type ProviderAccount } from './provider-lookup.ts'
import { listSmsNumbers } from './providers/sms/catalogue.ts'

const resource = '100000000000001'
const number = '100000000000002'
const socialAccount = '17841400000000001'
const smsAccount = `AC${'0'.repeat(31)}1`
const smsToken = 'sandbox'

/** Looked up at the sandbox; to be stored with `connect`. */
export async function findSandboxAccounts(deps: Deps): Promise<ProviderAccount[]> {
  const { chatapp, socialapp, sms } = deps.channels
  const nobody = ''
  return [
    ...(chatapp.isSandbox
      ? await findProviderAccounts(deps, nobody, {
          chatapp: { resourceIds: [resource], phoneNumberIds: [number] },
        })
      : []),
    ...(socialapp.isSandbox
      ? await findProviderAccounts(deps, nobody, { socialapp: { resourceIds: [socialAccount] } })
      : []),
    ...(sms.isSandbox ? await findSandboxSmsAccounts(deps) : []),
  ]
}

async function findSandboxSmsAccounts(deps: Deps): Promise<ProviderAccount[]> {
  const access = { baseUrl: deps.channels.sms.baseUrl, accountSid: smsAccount, token: smsToken }
  const able = (await listSmsNumbers(access)).find(one => one.capabilities.sms)
  return able ? findSmsAccounts(deps, smsAccount, encryptToken(deps, smsToken), [able.phoneNumberSid]) : []
}
