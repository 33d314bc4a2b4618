/** Registrations are verified: the inbox degrades when the provider calls another URL, and a command takes them back. */
import { expect, test } from 'vitest'
import { findAccount, providers } from '../../src/inboxes/accounts/accounts.ts'
import { isRegistered, verifyRegistrations } from '../../src/inboxes/accounts/webhook-registration.ts'
import { recheckInbox } from '../../src/inboxes/health.ts'
import { RetryLater, type Work } from '../../src/platform/jobs/job.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService({}, { spread: true })
const workspace = await service.workspace()
const deps = await service.depsOf(workspace.tenantId)
const owner = await workspace.key()

/** Each inbox has a number of its own, also when a test is repeated. */
let numbers = 1000

const requests = {
  chatapp: async () => ({ resourceIds: ['8891'], phoneNumberIds: [`8891${numbers++}`] }),
  socialapp: async () => ({ resourceIds: [`1784140008891${numbers++}`] }),
  sms: async () => {
    const path = `/smsprovider/AC${'8891'.repeat(7)}${numbers++}/phone-numbers`
    const { body } = await owner.post(path, { authToken: 'token' })
    const { pendingCredentialId, phoneNumbers } = body
    return { pendingCredentialId, phoneNumberSids: [phoneNumbers[0].phoneNumberSid] }
  },
}
const channels = ['chatapp', 'socialapp', 'sms'] as const

async function connect(channel: (typeof channels)[number]): Promise<string> {
  const { status, body } = await owner.post('/inboxes', { [channel]: await requests[channel]() })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.inboxes[0].id
}

async function getHealth(inboxId: string): Promise<{ state: string; reasons: string[] }> {
  const { body } = await owner.get('/inboxes')
  return body.inboxes.find(({ id }: { id: string }) => id === inboxId).status
}

const reaches = (inboxId: string, state: string) =>
  until(
    () => getHealth(inboxId),
    health => health.state === state,
  )

/** Another installation registers its URL for the same number, as a restored copy would. */
async function takeOver(inboxId: string, url: string): Promise<void> {
  const account = (await findAccount(deps, workspace.tenantId, inboxId))!
  await providers[account.channel].registerWebhook(
    { ...account, webhookUrl: url },
    deps.channels.chatapp.verifyToken,
  )
}

test.each(channels)('webhook_failing opens when %s calls another URL, and ends by command', async channel => {
  const inboxId = await connect(channel)
  const account = (await findAccount(deps, workspace.tenantId, inboxId))!
  const check = () => providers[channel].checkWebhook(account)
  await until(check, state => state === 'registered')
  await verifyRegistrations(deps)
  expect((await getHealth(inboxId)).state).toBe('active')

  // The handshake of the other URL is answered by this service too.
  const other = account.webhookUrl.replace('127.0.0.1', 'localhost')
  await takeOver(inboxId, other)
  expect(await check()).toBe('elsewhere')
  await verifyRegistrations(deps)
  expect(await reaches(inboxId, 'degraded')).toEqual({ state: 'degraded', reasons: ['webhook_failing'] })
  // Health checks do not take the number back.
  const { tenantId } = workspace
  const recheck = recheckInbox.handle(deps, { inboxId }, { tenantId } as Work)
  await expect(recheck).rejects.toThrow(RetryLater)
  expect(await check()).toBe('elsewhere')

  expect((await owner.post(`/inboxes/${inboxId}/register`)).status).toBe(202)
  await reaches(inboxId, 'active')
  expect(await check()).toBe('registered')

  // The other installation gives the number back automatically: the issue ends without a command.
  await takeOver(inboxId, other)
  await verifyRegistrations(deps)
  await reaches(inboxId, 'degraded')
  await takeOver(inboxId, account.webhookUrl)
  deps.clock.advance(60_000)
  await reaches(inboxId, 'active')
})

test('webhook_failing opens when a number of chatapp gets a URL of its own, and ends by command', async () => {
  const inboxId = await connect('chatapp')
  const account = (await findAccount(deps, workspace.tenantId, inboxId))!
  const check = () => providers.chatapp.checkWebhook(account)
  // A registration that is still in flight would remove what follows.
  await until(() => isRegistered(deps.db, workspace.tenantId, inboxId), Boolean)
  // The URL of the number goes before that of its business account, which stays ours.
  const elsewhere = {
    override_callback_uri: account.webhookUrl.replace('127.0.0.1', 'localhost'),
    verify_token: deps.channels.chatapp.verifyToken,
  }
  const set = await fetch(`${account.baseUrl}/${account.externalId}`, {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_configuration: elsewhere }),
  })
  expect(set.status, await set.text()).toBe(200)
  expect(await check()).toBe('elsewhere')
  await verifyRegistrations(deps)
  expect(await reaches(inboxId, 'degraded')).toEqual({ state: 'degraded', reasons: ['webhook_failing'] })

  expect((await owner.post(`/inboxes/${inboxId}/register`)).status).toBe(202)
  await reaches(inboxId, 'active')
  expect(await check()).toBe('registered')
})
