/** The Graph platform asks whether a callback address is ours before it uses it. */
import { createHash, timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import { fail } from '../../platform/errors.ts'
import { Reply, route } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { HandshakeRefused } from '../errors.ts'

const text = Type.Optional(Type.String({ maxLength: 1000 }))
const hash = (value: string): Buffer => createHash('sha256').update(value).digest()

const handshake = (channel: 'chatapp' | 'socialapp') =>
  route({
    method: 'GET',
    path: `/channels/${channel}/webhook`,
    tag: 'Callbacks',
    summary: `Answer the ${channel} provider's question whether this address is ours`,
    access: 'public',
    extension: true,
    query: object({ 'hub.mode': text, 'hub.challenge': text, 'hub.verify_token': text }),
    success: { status: 200, contentType: 'text/plain', description: 'The challenge, bare' },
    errors: [HandshakeRefused],
    handle: async ({ query, channels }) => {
      const token = query['hub.verify_token'] ?? ''
      const isOurs = timingSafeEqual(hash(token), hash(channels[channel].verifyToken))
      if (query['hub.mode'] !== 'subscribe' || !isOurs) fail(HandshakeRefused)
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
      return new Reply({ body: query['hub.challenge'] ?? '', headers })
    },
  })

export const handshakeRoutes = [handshake('chatapp'), handshake('socialapp')]
