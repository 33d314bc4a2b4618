/** Webhook verification of the Graph platform: echoes the challenge if the verify token matches. */
import Type from 'typebox'
import { isSameSecret } from '../../platform/encryption/keys.ts'
import { fail } from '../../platform/errors.ts'
import { anyCell } from '../../platform/http/locate.ts'
import { Reply, section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { logRejected } from '../accounts/rejected-callbacks.ts'
import { HandshakeRefused } from '../errors.ts'

const route = section('Callbacks', { extension: true })

const text = Type.Optional(Type.String({ maxLength: 1000 }))

const handshake = (channel: 'chatapp' | 'socialapp') =>
  route(`GET /channels/${channel}/webhook`, {
    operationId: channel === 'chatapp' ? 'verifyChatappWebhook' : 'verifySocialappWebhook',
    summary: `Verify the webhook URL of the ${channel} provider`,
    description: 'Called by the provider when the URL is registered.',
    access: 'public',
    locate: anyCell,
    query: object({ 'hub.mode': text, 'hub.challenge': text, 'hub.verify_token': text }),
    success: { status: 200, contentType: 'text/plain', description: 'The challenge as plain text' },
    errors: [HandshakeRefused],
    handle: async context => {
      const { query, channels } = context
      const token = query['hub.verify_token'] ?? ''
      const isOurs = isSameSecret(token, channels[channel].verifyToken)
      if (query['hub.mode'] !== 'subscribe' || !isOurs) {
        const reason = isOurs ? 'hub.mode is not subscribe' : 'hub.verify_token is not ours'
        logRejected(context, { channel, reason: `handshake: ${reason}` })
        fail(HandshakeRefused)
      }
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
      return new Reply({ body: query['hub.challenge'] ?? '', headers })
    },
  })

export const handshakeRoutes = [handshake('chatapp'), handshake('socialapp')]
