import Type from 'typebox'
import { loadVisibleConversation } from '../../conversations/conversations.ts'
import { ConversationNotFound } from '../../conversations/errors.ts'
import { everyone } from '../../identity/rights/roles.ts'
import { fail } from '../../platform/errors.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { section } from '../../platform/http/route.ts'
import { nullable, object } from '../../platform/http/schemas.ts'
import {
  IdentityDiffers,
  IdentityInvalid,
  VisitorBlocked,
  VisitorNotFound,
  VisitorVerified,
} from '../errors.ts'
import { limitVisitor } from '../limits.ts'
import { ConversationVisitor, VisitorPatch, WidgetConversation, WidgetVisitor } from '../schemas.ts'
import { checkNotBlocked, setBlocked } from '../visitors/blocks.ts'
import { identifyVisitor } from '../visitors/identity.ts'
import { describeConversation, findConversationOf } from '../visitors/sessions.ts'
import {
  changeClaims,
  findVisitorOfAddress,
  publishVisitorChanged,
  visitorToApi,
} from '../visitors/visitors.ts'

const route = section('Web chat', { extension: true })

export const visitorRoutes = [
  route('POST /widget/identify', {
    operationId: 'identifyVisitor',
    summary: 'Identify the visitor by a token that the site signed',
    description:
      'A JWT with `sub`, `exp` (at most five minutes ahead) and perhaps `name`, `email` and `phone`, signed with the key of the inbox. The visitor becomes the contact of `sub`, and its conversation merges into that contact. With an invalid token the visitor stays as it is.',
    access: 'visitor',
    body: object({ jwt: Type.String({ minLength: 1, maxLength: 8000 }) }),
    example: { jwt: 'header.payload.signature' },
    success: {
      status: 200,
      body: object({ visitor: WidgetVisitor, conversation: nullable(WidgetConversation) }),
    },
    errors: [IdentityInvalid, IdentityDiffers, VisitorBlocked],
    handle: async context => {
      const { request } = context
      limitVisitor(context, 'identities', context.visitor, request.ip)
      const visitor = await identifyVisitor(context, context.visitor, context.body.jwt)
      const row = await findConversationOf(context, visitor)
      return {
        visitor: visitorToApi(visitor),
        conversation: await describeConversation(context, visitor, row),
      }
    },
  }),
  route('PATCH /widget/visitor', {
    operationId: 'updateVisitor',
    summary: 'Store what the visitor says of itself',
    description: 'Shown to agents as not verified. Claims that the site signed cannot be changed.',
    access: 'visitor',
    body: VisitorPatch,
    example: { name: 'Ana', email: 'ana@example.com' },
    success: { status: 200, body: object({ visitor: WidgetVisitor }) },
    errors: [VisitorVerified, VisitorBlocked],
    handle: async context => {
      const { visitor, body, request } = context
      limitVisitor(context, 'requests', visitor, request.ip)
      checkNotBlocked(visitor)
      return { visitor: visitorToApi(await context.write(tx => changeClaims(tx, visitor, body))) }
    },
  }),
  route('GET /conversations/{id}/visitor', {
    operationId: 'getConversationVisitor',
    summary: 'Get the visitor of a web chat conversation',
    description:
      'Name, e-mail address and phone number are what the visitor said of itself unless `isVerified`. Of several browsers, the one that was seen last.',
    access: { scopes: ['conversation:read'], roles: everyone },
    success: { status: 200, body: ConversationVisitor },
    errors: [ConversationNotFound, VisitorNotFound],
    handle: async ({ db, caller, params }) => {
      const row = (await loadVisibleConversation(db, caller, params.id)) ?? fail(ConversationNotFound)
      const visitor = await findVisitorOfAddress(db, caller.tenantId, row)
      return describeVisitor(visitor ?? fail(VisitorNotFound))
    },
  }),
  route('PATCH /conversations/{id}/visitor', {
    operationId: 'blockConversationVisitor',
    summary: 'Block or unblock the visitor of a web chat conversation',
    description:
      'A blocked visitor can read the conversation; its messages, files, identities, ratings and what it says of itself are refused, and nobody sees it type. Holds for all sessions of a user whom the site has signed, otherwise for the one of the visitor, also when it is identified later. Each change is in the audit log.',
    access: { scopes: ['conversation:update'], roles: everyone },
    body: object({ isBlocked: Type.Boolean() }),
    example: { isBlocked: true },
    success: { status: 200, body: ConversationVisitor },
    errors: [ConversationNotFound, VisitorNotFound],
    handle: async ({ write, bus, caller, params, body }) => {
      const { visitor, address } = await write(tx => setBlocked(tx, caller, params.id, body.isBlocked))
      publishVisitorChanged(bus, { tenantId: caller.tenantId, address })
      return describeVisitor(visitor)
    },
  }),
]

function describeVisitor(visitor: Visitor): ConversationVisitor {
  const { locale, page, referrer, lastSeenAt } = visitor
  return { ...visitorToApi(visitor), locale, page, referrer, lastSeenAt }
}
