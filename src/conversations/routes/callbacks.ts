/** Webhooks for providers: public, because their signature authenticates them. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  buildWebhookUrl,
  findAccount,
  getWebhookSecrets,
  providers,
  readSmsWorkspace,
} from '../../inboxes/accounts/accounts.ts'
import { logRejected, type Rejection } from '../../inboxes/accounts/rejected-callbacks.ts'
import { findInboxById } from '../../inboxes/inboxes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Channel } from '../../platform/config.ts'
import type { Cells, Deps } from '../../platform/deps.ts'
import { fail, problemKind } from '../../platform/errors.ts'
import { anyCell } from '../../platform/http/locate.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, object } from '../../platform/http/schemas.ts'
import { storeInCells, storeProviderEvents } from '../inbound/store-provider-events.ts'

const SignatureInvalid = problemKind(
  401,
  'callback_signature_invalid',
  'The signature of the callback is missing or invalid',
)
/** Refuses a callback that cannot be genuine before its body is read. */
const requireSignature =
  (channel: Channel, name: string, pattern: RegExp) => (headers: IncomingHttpHeaders, deps: Deps) => {
    if (pattern.test(String(headers[name] ?? ''))) return
    logRejected(deps, {
      channel,
      reason: `the header ${name} is ${headers[name] === undefined ? 'missing' : 'malformed'}`,
    })
    fail(SignatureInvalid, `the header ${name} is required`, { headers: { connection: 'close' } })
  }

function reject(deps: Deps, rejection: Rejection): never {
  logRejected(deps, rejection)
  return fail(SignatureInvalid)
}

function explainGraphMismatch(channel: Channel, secrets: readonly string[]): string {
  const setting = `${channel.toUpperCase()}_APP_SECRET`
  return secrets.length > 0
    ? `the signature does not match the app secret; check ${setting}`
    : `no app secret is configured; set ${setting}`
}
const route = section('Callbacks', { extension: true })

const graphCallback = (channel: 'chatapp' | 'socialapp') =>
  route(`POST /channels/${channel}/webhook`, {
    operationId: channel === 'chatapp' ? 'receiveChatappWebhook' : 'receiveSocialappWebhook',
    summary: `Receive events of the ${channel} provider`,
    description: 'Called by the provider. Stored before it is acknowledged, and applied once.',
    access: 'public',
    locate: anyCell,
    rawBody: true,
    bodyLimit: 4 * 1024 * 1024,
    checkHeaders: requireSignature(channel, 'x-hub-signature-256', /^sha256=[0-9a-f]{64}$/),
    success: { status: 200 },
    errors: [SignatureInvalid],
    handle: async context => {
      const callback = toWebhookRequest(context, buildWebhookUrl(context.config.publicUrl, channel, ''))
      const secrets = getWebhookSecrets(context, channel)
      if (!providers[channel].verifyWebhook(callback, secrets))
        reject(context, { channel, reason: explainGraphMismatch(channel, secrets) })
      await storeInCells(context, channel, providers[channel].parseWebhook(callback))
    },
  })

export const callbackRoutes = [
  graphCallback('chatapp'),
  graphCallback('socialapp'),
  route('POST /channels/sms/{inboxId}/{kind}', {
    operationId: 'receiveSmsWebhook',
    summary: 'Receive events of the sms provider',
    description: 'Called by the provider. Stored before it is acknowledged, and applied once.',
    access: 'public',
    locate: ({ params, query }, cells) => {
      const tenantId = readSmsWorkspace(query)
      return tenantId === undefined ? locateInbox(cells, params.inboxId) : cells.of(tenantId)
    },
    params: object({ inboxId: AnyId, kind: literals(['inbound', 'status']) }),
    // All query parameters are covered by the provider's signature.
    query: Type.Object({}, { additionalProperties: true }),
    rawBody: true,
    bodyLimit: 256 * 1024,
    checkHeaders: requireSignature('sms', 'x-twilio-signature', /^[A-Za-z0-9+/]{27}=$/),
    success: { status: 204 },
    errors: [SignatureInvalid],
    handle: async context => {
      const inbox = await findInboxById(context.db, context.params.inboxId)
      const account = inbox && (await findAccount(context, inbox.tenantId, inbox.id))
      const callback = toWebhookRequest(context, `${context.config.publicUrl}${context.request.raw.url}`)
      // The same response for an unknown inbox and a wrong signature; the log distinguishes them.
      if (!account) return reject(context, { channel: 'sms', reason: 'the URL names no inbox' })
      if (!providers.sms.verifyWebhook(callback, getWebhookSecrets(context, account)))
        reject(context, {
          channel: 'sms',
          inboxId: account.inboxId,
          reason: `the signature does not match the token of the inbox and a URL that begins with ${context.config.publicUrl}; check PUBLIC_URL and the token`,
        })
      await storeProviderEvents(
        context,
        'sms',
        providers.sms.parseWebhook({ ...callback, accountId: account.externalId }),
      )
    },
  }),
]

/** For callback URLs of earlier versions. */
async function locateInbox(cells: Cells, inboxId: string): Promise<Deps> {
  const found = await cells.find(
    `inbox ${inboxId}`,
    async ({ db }) => (await findInboxById(db, inboxId))?.tenantId,
  )
  return found ?? cells.usable()[0]!
}

function toWebhookRequest({ request, clock }: { request: FastifyRequest; clock: Clock }, url: string) {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const headers = request.headers as Record<string, string | undefined>
  return { method: request.method, url, headers, body, receivedAt: clock.now().toISOString() }
}
