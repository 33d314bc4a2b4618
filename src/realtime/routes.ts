import Type from 'typebox'
import { route } from '../platform/http/route.ts'
import { object, Timestamp } from '../platform/http/schemas.ts'
import { createTicket } from './tickets.ts'

export const realtimeRoutes = [
  route({
    method: 'POST',
    path: '/realtime/tickets',
    tag: 'Realtime',
    summary: 'Create a ticket for one WebSocket connection',
    description:
      'For browsers: connect to `/v1/realtime?ticket=…` within 60 seconds. Other clients send their token in the Authorization header.',
    access: { scopes: ['user:read_self'], roles: ['owner', 'admin', 'agent'] },
    extension: true,
    success: { status: 201, body: object({ ticket: Type.String(), expiresAt: Timestamp }) },
    secretFields: ['ticket'],
    handle: context => {
      const token = context.request.headers.authorization!.replace(/^Bearer +/i, '')
      return context.write(tx => createTicket(context, tx, context.caller.tenantId, token))
    },
  }),
]
