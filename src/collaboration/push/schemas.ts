import Type, { type Static } from 'typebox'
import { AnyId, named, object, Timestamp } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'

export const PushSubscriptionId = idType('psb')

/** As `PushSubscription.toJSON()` returns it in a browser, without `expirationTime`. */
export const NewPushSubscription = object({
  endpoint: Type.String({ minLength: 1, maxLength: 2_000, description: 'an https URL of a push service' }),
  keys: object({
    p256dh: Type.String({ maxLength: 100, description: 'public key of the browser, base64url' }),
    auth: Type.String({ maxLength: 50, description: 'secret of the browser, base64url' }),
  }),
})
export type NewPushSubscription = Static<typeof NewPushSubscription>

export const PushSubscription = named(
  'PushSubscription',
  object({
    id: AnyId,
    service: Type.String({ description: 'origin of the push service' }),
    isCurrentSession: Type.Boolean({ description: 'whether it was made in your session' }),
    createdAt: Timestamp,
  }),
)

export const PushSubscriptions = object({
  publicKey: Type.String({
    description:
      '`applicationServerKey` of `pushManager.subscribe()`, base64url. It changes with the key of the installation; subscribe again then',
  }),
  subscriptions: Type.Array(PushSubscription),
})
