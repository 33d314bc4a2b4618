/**
 * Sets up the examples of some operations before they are sent: a resource in a certain state, or a secret in place of
 * the one in the example. Everything else of the example is sent as it is.
 */
import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { hashPassword } from '../../src/identity/auth/passwords.ts'
import { createTestUser, logIn } from '../../src/identity/testing/users.ts'
import { getWebhookSecrets } from '../../src/inboxes/accounts/accounts.ts'
import { signGraph, signTwilio } from '../../src/sandbox/callbacks/signatures.ts'
import { asVisitor, startVisitor } from '../../src/webchat/testing/visitor.ts'
import {
  connectSms,
  createJourney,
  expectStatus,
  text,
  waitForRun,
} from '../../src/workflows/testing/fixtures.ts'
import { type Client, client, type Workspace } from '../harness/api.ts'
import { type TestService, until } from '../harness/service.ts'
import { createVisitor, factories } from './factories.ts'

export interface Prepared {
  /** Instead of the path of the operation. */
  path?: string
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  client?: Client
}

export interface SetupContext {
  service: TestService
  workspace: Workspace
  // biome-ignore lint/suspicious/noExplicitAny: examples have many forms
  example: any
}

type Setup = (context: SetupContext) => Promise<Prepared>

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an app shows for the secret (RFC 6238). */
function computeCode(secret: string, now: Date): string {
  const bits = [...secret].map(sign => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

const password = 'plum-Harbor-42-lantern'

/** Logs a user in who has the password of the examples. */
async function startUser({ service, workspace }: SetupContext) {
  const user = await createTestUser(service, workspace.tenantId, {
    passwordHash: await hashPassword(password),
  })
  const { body } = await logIn(service, user.email, password)
  return { ...user, tokens: body, client: client(service.url, user.tenantId, user.id, body.accessToken) }
}

async function startUserWithSecondFactor(context: SetupContext) {
  const user = await startUser(context)
  const { secret } = await expectStatus(user.client.post('/users/me/second-factor', { password }), 201)
  const code = computeCode(secret, context.service.deps.clock.now())
  const { recoveryCodes } = await expectStatus(
    user.client.post('/users/me/second-factor/confirm', { code }),
    200,
  )
  return { ...user, recoveryCode: recoveryCodes[0] as string }
}

/** A recovery code takes the place of the app's code, because the confirming code is used up. */
const completeSecondFactor: Setup = async context => {
  const { email, recoveryCode } = await startUserWithSecondFactor(context)
  const { challenge } = (await logIn(context.service, email, password)).body
  return { body: { ...context.example, challenge, code: recoveryCode } }
}

const withFactory =
  (
    route: string,
    prepare: (workspace: Workspace, params: Record<string, string>) => Promise<unknown>,
  ): Setup =>
  async ({ workspace }) => {
    const params = await factories[route]!.params(workspace)
    await prepare(workspace, params)
    return { path: route.replace(/\{(\w+)\}/g, (_, name) => params[name]!) }
  }

const activate =
  (kind: 'journeys' | 'chatbots') =>
  ({ owner }: Workspace, { id }: Record<string, string>) =>
    expectStatus(owner.post(`/${kind}/${id}/activate`), 200)

/** The provider asks to send later, again and again: the message stays pending, and so does its campaign. */
const delayedNumber = '+15005550021'

/** Creates a campaign to one contact. */
async function createCampaign({ workspace }: SetupContext): Promise<string> {
  const { owner } = workspace
  const { id: inboxId } = await factories['/inboxes/{id}']!.params(workspace)
  await expectStatus(owner.post('/contacts', { name: 'Ada', phone: delayedNumber }), 201)
  const filter = { match: 'all', conditions: [] }
  const segment = await expectStatus(owner.post('/segments', { name: 'Everybody', filter }), 201)
  const { id } = await expectStatus(owner.post('/campaigns', { name: 'Spring' }), 201)
  const campaign = { inboxId, segmentId: segment.id, content: text('Hello') }
  await expectStatus(owner.patch(`/campaigns/${id}`, campaign), 200)
  return id
}

const inAnHour = ({ service }: SetupContext) =>
  new Date(service.deps.clock.now().getTime() + 3_600_000).toISOString()

const scheduledCampaign =
  (operation: string): Setup =>
  async context => {
    const id = await createCampaign(context)
    const sendAt = inAnHour(context)
    await expectStatus(context.workspace.owner.post(`/campaigns/${id}/schedule`, { sendAt }), 200)
    return { path: `/campaigns/${id}/${operation}` }
  }

const sendingCampaign = async (context: SetupContext): Promise<string> => {
  const { owner } = context.workspace
  const path = `/campaigns/${await createCampaign(context)}`
  await expectStatus(owner.post(`${path}/schedule`, { sendAt: 'now' }), 200)
  await until(
    async () => (await owner.get(path)).body.status,
    status => status === 'sending',
  )
  return path
}

const journeyWith = ({ workspace: { owner } }: SetupContext, node: [string, Record<string, unknown>]) =>
  createJourney(owner, { trigger: { type: 'manual' }, nodes: { only: node }, edges: ['start > only'] })

async function startRun(context: SetupContext, journeyId: string): Promise<string> {
  const { owner } = context.workspace
  const { id: contactId } = await expectStatus(owner.post('/contacts', { name: 'Ada' }), 201)
  return (await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId }), 201)).id
}

async function scheduleMessage(context: SetupContext): Promise<string> {
  const { owner } = context.workspace
  const { id } = await factories['/conversations/{id}']!.params(context.workspace)
  const content = { type: 'text', text: { body: 'Later' } }
  const sendAt = inAnHour(context)
  const { message } = await expectStatus(
    owner.post(`/conversations/${id}/messages`, { content, sendAt }),
    202,
  )
  return message.id
}

/** The provider refuses messages to this number. */
const refusedNumber = '+15005550001'

const receiveGraph =
  (channel: 'chatapp' | 'socialapp', object: string): Setup =>
  async ({ service }) => {
    const body = JSON.stringify({ object, entry: [] })
    const [secret] = getWebhookSecrets(service.deps, channel)
    return { body, headers: { 'x-hub-signature-256': signGraph(secret!, body) } }
  }

const verifyGraph =
  (channel: 'chatapp' | 'socialapp'): Setup =>
  async ({ service }) => ({
    query: {
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': service.deps.channels[channel].verifyToken,
    },
  })

const replaceToken =
  (getToken: (context: SetupContext) => Promise<string>): Setup =>
  async context => ({ body: { ...context.example, token: await getToken(context) } })

export const setups: Record<string, Setup> = {
  refreshTokens: async context => {
    const { refreshToken } = (await startUser(context)).tokens
    return { body: { ...context.example, refreshToken } }
  },
  acceptInvitation: replaceToken(async ({ workspace: { owner } }) => {
    const invitation = { email: 'kim@example.com', role: 'agent' }
    return (await expectStatus(owner.post('/users/invitations', invitation), 201)).token
  }),
  resetPassword: replaceToken(async context => {
    const { id } = await startUser(context)
    return (await expectStatus(context.workspace.owner.post(`/users/${id}/password-reset`), 201)).token
  }),
  changePassword: startUser,
  startSecondFactor: startUser,
  confirmSecondFactor: async context => {
    const user = await startUser(context)
    const { secret } = await expectStatus(user.client.post('/users/me/second-factor', { password }), 201)
    const code = computeCode(secret, context.service.deps.clock.now())
    return { body: { ...context.example, code }, client: user.client }
  },
  replaceRecoveryCodes: startUserWithSecondFactor,
  disableSecondFactor: startUserWithSecondFactor,
  removeSecondFactor: async context => {
    const { id } = await startUserWithSecondFactor(context)
    return { path: `/users/${id}/second-factor` }
  },
  completeLogin: completeSecondFactor,
  completeBrowserLogin: completeSecondFactor,
  downloadMedia: async ({ workspace }) => {
    const { mediaId } = await factories['/media/{mediaId}']!.params(workspace)
    const { url } = await expectStatus(workspace.owner.get(`/media/${mediaId}`), 200)
    return { path: url.slice(url.indexOf('/v1/') + '/v1'.length) }
  },
  identifyVisitor: async ({ service, workspace: { owner }, example }) => {
    const { body } = await owner.post('/inboxes', { webchat: { name: 'Website', allowedOrigins: [] } })
    const [{ id, externalId }] = body.inboxes
    const { secret } = await expectStatus(owner.post(`/inboxes/${id}/identity-key`), 201)
    const jwt = await new SignJWT({ sub: 'user-1' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(Math.floor(service.deps.clock.now().getTime() / 1000) + 120)
      .sign(Buffer.from(secret))
    return { body: { ...example, jwt }, client: await startVisitor(service.url, externalId) }
  },
  reportWidgetRead: async ({ service, workspace, example }) => {
    const { inboxId, inboxKey, visitorId, token } = await createVisitor(workspace)
    const recipient = { type: 'channel', channel: 'webchat', externalId: visitorId }
    const content = { type: 'text', text: { body: 'Hello' } }
    const { message } = await expectStatus(
      workspace.owner.post('/messages', { recipient, inboxId, content }),
      202,
    )
    const visitor = asVisitor(service.url, inboxKey, visitorId, token)
    await until(visitor.messages, messages => messages.length === 1)
    return { body: { ...example, messageId: message.id }, client: visitor }
  },
  rateWidgetConversation: async ({ service, workspace: { owner } }) => {
    const { body } = await owner.post('/inboxes', { webchat: { name: 'Website', allowedOrigins: [] } })
    const [{ id: inboxId, externalId }] = body.inboxes
    await expectStatus(owner.patch(`/inboxes/${inboxId}`, { csat: { question: 'How was it?' } }), 200)
    const visitor = await startVisitor(service.url, externalId)
    await visitor.say('Hello')
    const [conversation] = await until(
      async () => (await owner.get(`/conversations?inboxId=${inboxId}`)).body.conversations,
      all => all.length === 1,
    )
    await expectStatus(owner.post(`/conversations/${conversation.id}/close`), 200)
    await until(
      async () => (await visitor.post(`/widget/${externalId}/sessions`, {})).body,
      session => JSON.stringify(session).includes('"canRate":true'),
    )
    return { client: visitor }
  },
  verifyChatappWebhook: verifyGraph('chatapp'),
  verifySocialappWebhook: verifyGraph('socialapp'),
  receiveChatappWebhook: receiveGraph('chatapp', 'whatsapp_business_account'),
  receiveSocialappWebhook: receiveGraph('socialapp', 'instagram'),
  receiveSmsWebhook: async ({ service, workspace: { owner } }) => {
    const inboxId = await connectSms(owner)
    const form = { MessageSid: 'SM1', MessageStatus: 'delivered' }
    const path = `/channels/sms/${inboxId}/status`
    const signature = signTwilio('token', `${service.deps.config.publicUrl}/v1${path}`, form)
    return {
      path,
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
    }
  },
  resendWebhookAttempt: async ({ workspace: { owner } }) => {
    // No endpoint listens there; the failed attempt is listed anyway.
    await expectStatus(owner.patch('/webhooks', { url: 'http://127.0.0.1:9/hook', enabled: true }), 200)
    await expectStatus(owner.post('/contacts', { name: 'Ada' }), 201)
    const [{ id }] = await until(
      async () => (await owner.get('/webhooks/attempts')).body.attempts,
      attempts => attempts.length > 0,
    )
    return { path: `/webhooks/attempts/${id}/resend` }
  },
  pauseJourney: withFactory('/journeys/{id}/pause', activate('journeys')),
  pauseChatbot: withFactory('/chatbots/{id}/pause', activate('chatbots')),
  startJourneyRun: withFactory('/journeys/{id}/runs', activate('journeys')),
  enrollSegment: withFactory('/journeys/{id}/enroll', activate('journeys')),
  cancelRun: async context => {
    const journeyId = await journeyWith(context, ['delay', { for: { days: 1 } }])
    return { path: `/runs/${await startRun(context, journeyId)}/cancel` }
  },
  retryRun: async context => {
    const journeyId = await journeyWith(context, ['setVariable', { name: 'v', expression: '1 / 0' }])
    await startRun(context, journeyId)
    const { id } = await waitForRun(context.workspace.owner, journeyId, 'failed')
    return { path: `/runs/${id}/retry` }
  },
  unscheduleCampaign: scheduledCampaign('unschedule'),
  cancelCampaign: scheduledCampaign('cancel'),
  pauseCampaign: async context => ({ path: `${await sendingCampaign(context)}/pause` }),
  resumeCampaign: async context => {
    const path = await sendingCampaign(context)
    await expectStatus(context.workspace.owner.post(`${path}/pause`), 200)
    return { path: `${path}/resume` }
  },
  cancelMessage: async context => ({ path: `/messages/${await scheduleMessage(context)}` }),
  rescheduleMessage: async context => ({ path: `/messages/${await scheduleMessage(context)}` }),
  retryMessage: async ({ workspace }) => {
    const { owner } = workspace
    const { id: inboxId } = await factories['/inboxes/{id}']!.params(workspace)
    const recipient = { type: 'phone', phoneNumber: refusedNumber }
    const content = { type: 'text', text: { body: 'Hello' } }
    const { message } = await expectStatus(owner.post('/messages', { recipient, inboxId, content }), 202)
    await until(
      async () => (await owner.get(`/messages/${message.id}`)).body.message.deliveryStatus,
      status => status === 'failed',
    )
    return { path: `/messages/${message.id}/retry` }
  },
}
