import Type, { type Static } from 'typebox'
import { AnyId, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'

export const SurveyRating = named(
  'SurveyRating',
  object({
    sessionId: { ...AnyId, description: 'the session of the conversation that was rated; it has one rating' },
    inboxId: AnyId,
    teamId: nullable(AnyId),
    userId: { ...nullable(AnyId), description: 'the owner of the session, else who closed it' },
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    comment: nullable(Type.String()),
    sentAt: { ...Timestamp, description: 'when the customer was asked' },
    ratedAt: Timestamp,
  }),
)
export type SurveyRating = Static<typeof SurveyRating>
