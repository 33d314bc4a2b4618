import Type, { type Static } from 'typebox'
import { literals, named, object, variants } from '../platform/http/schemas.ts'
import { responseModes } from './failure-modes.ts'

const text = (maxLength = 4096) => Type.String({ minLength: 1, maxLength })
const Anything = Type.Record(Type.String(), Type.Unknown())

export const InboundMedia = object({
  kind: Type.Optional(literals(['image', 'video', 'audio', 'document', 'sticker'])),
  base64: Type.Optional(
    Type.String({ maxLength: 24 << 20, description: 'The file; default: a small sample' }),
  ),
  mimeType: Type.Optional(text(200)),
  filename: Type.Optional(text(240)),
  caption: Type.Optional(text(1024)),
  voice: Type.Optional(Type.Boolean()),
})

export const InboundContent = named(
  'SandboxContent',
  variants('type', [
    object({ type: Type.Literal('text'), text: object({ body: text(10_000) }) }),
    object({ type: Type.Literal('media'), media: InboundMedia }),
    object({
      type: Type.Literal('location'),
      location: object({
        latitude: Type.Number({ minimum: -90, maximum: 90 }),
        longitude: Type.Number({ minimum: -180, maximum: 180 }),
        name: Type.Optional(text()),
        address: Type.Optional(text()),
      }),
    }),
    object({ type: Type.Literal('contacts'), contacts: Type.Array(Anything, { minItems: 1, maxItems: 50 }) }),
    object({
      type: Type.Literal('reply'),
      reply: object({ id: text(256), title: text(200), description: Type.Optional(text(200)) }),
    }),
    object({ type: Type.Literal('button'), button: object({ payload: text(1000), text: text(200) }) }),
    object({
      type: Type.Literal('formResponse'),
      formResponse: object({ flowToken: Type.Optional(text(1000)), values: Anything }),
    }),
    object({
      type: Type.Literal('reaction'),
      reaction: object({ providerMessageId: text(500), emoji: Type.Union([text(40), Type.Null()]) }),
    }),
    object({
      type: Type.Literal('unsupported'),
      unsupported: Type.Optional(object({ reason: Type.Optional(text(200)) })),
    }),
    object({
      type: Type.Literal('comment'),
      comment: object({
        text: text(2200),
        mediaId: Type.Optional(text(100)),
        parentId: Type.Optional(text(100)),
        live: Type.Optional(Type.Boolean()),
      }),
    }),
    object({ type: Type.Literal('storyMention') }),
    object({
      type: Type.Literal('storyReply'),
      storyReply: object({ text: text(), storyId: Type.Optional(text(100)) }),
    }),
    object({ type: Type.Literal('read'), read: object({ providerMessageId: text(500) }) }),
    object({ type: Type.Literal('deleted'), deleted: object({ providerMessageId: text(500) }) }),
    object({ type: Type.Literal('edited'), edited: object({ providerMessageId: text(500), text: text() }) }),
    object({
      type: Type.Literal('raw'),
      raw: Anything,
    }),
  ]),
)

/** A customer action, which the provider reports by a signed callback. */
export const Inbound = object({
  from: text(200),
  profileName: Type.Optional(text(200)),
  username: Type.Optional(text(100)),
  content: InboundContent,
  /** provider id of the quoted message */
  replyTo: Type.Optional(text(500)),
  forwarded: Type.Optional(Type.Boolean()),
  /** the callback contains the business-scoped user id instead of the phone number (chatapp) */
  hidePhone: Type.Optional(Type.Boolean()),
  referral: Type.Optional(Anything),
  /** envelope of the callback (socialapp) */
  shape: Type.Optional(literals(['messaging', 'standby', 'changes', 'field'])),
})

const chance = {
  probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
}
const Chance = object(chance)

export const requestFaults = [
  'rateLimited',
  'pairLimited',
  'appLimited',
  'serverError',
  'maintenance',
  'tokenExpired',
  'accountLocked',
  'paymentIssue',
  'error',
  ...responseModes,
] as const

/** Fault of a request to the provider. Applies always without probability and count. */
export const RequestFault = object({
  answer: literals(requestFaults),
  ...chance,
  to: Type.Optional(text(200)),
  code: Type.Optional(Type.Integer({ description: "The provider's error code, with answer `error`" })),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  message: Type.Optional(text(500)),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
})

export const CallbackFaults = object({
  /** the attempt is lost and retried */
  drop: Type.Optional(Chance),
  /** the callback is never sent */
  lose: Type.Optional(Chance),
  duplicate: Type.Optional(Chance),
  reorder: Type.Optional(Chance),
  delay: Type.Optional(object({ ...chance, ms: Type.Integer({ minimum: 1, maximum: 86_400_000 }) })),
  /** statuses of a successful message */
  statuses: Type.Optional(
    Type.Array(literals(['sent', 'delivered', 'read']), { maxItems: 3, uniqueItems: true }),
  ),
  /** maximum number of updates in one call */
  batch: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
})

export const Faults = object({
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 })),
  requests: Type.Optional(Type.Array(RequestFault, { maxItems: 50 })),
  callbacks: Type.Optional(CallbackFaults),
})

export type InboundContent = Static<typeof InboundContent>
export type InboundMedia = Static<typeof InboundMedia>
export type Inbound = Static<typeof Inbound>
export type RequestFault = Static<typeof RequestFault>
export type Chance = Static<typeof Chance>
export type Faults = Static<typeof Faults>
