import Type from 'typebox'
import { section } from '../../platform/http/route.ts'
import { object, Timestamp } from '../../platform/http/schemas.ts'
import { createTicket } from '../../realtime/tickets.ts'
import { limitVisitor } from '../limits.ts'

const route = section('Web chat', { extension: true })

export const realtimeRoutes = [
  route('POST /widget/realtime/tickets', {
    operationId: 'createWidgetTicket',
    summary: 'Create a ticket for one WebSocket connection of the visitor',
    description:
      'Connect to `/v1/widget/realtime?ticket=…` within 60 seconds; `since` continues from a sequence number.',
    access: 'visitor',
    success: { status: 201, body: object({ ticket: Type.String(), expiresAt: Timestamp }) },
    handle: context => {
      const { visitor, request } = context
      limitVisitor(context, 'requests', visitor, request.ip)
      return context.write(tx => createTicket(context, tx, visitor.tenantId, request.token!))
    },
  }),
]
