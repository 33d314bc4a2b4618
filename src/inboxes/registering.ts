/** Telling a provider where to call us, and writing down what it was told. */
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { buildWebhookUrl, providers } from './accounts.ts'
import { resolveIssues } from './changes.ts'
import type { Account } from './provider.ts'
import { type RegistrationRow, updateRegistration } from './store/registrations.ts'

/** What an inbox's registration should say: which address the provider knows, and which provider. */
export function buildRegistration(
  { config, channels }: Pick<Deps, 'config' | 'channels'>,
  { channel, id }: Pick<RegistrationRow, 'channel' | 'id'>,
): string {
  return `${buildWebhookUrl(config.publicUrl, channel, id)} at ${channels[channel].baseUrl}`
}

/** Throws CallFailed when the provider cannot be told. */
export async function register(deps: Deps, account: Account): Promise<void> {
  const { channel, tenantId, inboxId } = account
  const registration = buildRegistration(deps, { channel, id: inboxId })
  await providers[channel].registerWebhook(account, deps.channels[channel].verifyToken)
  await transact(deps.db, async tx => {
    await updateRegistration(tx, tenantId, inboxId, registration)
    await resolveIssues(tx, tenantId, inboxId, ['webhook_failing'])
  })
}
