/**
 * The message of a satisfaction survey: a list or buttons where the channel has them, numbered lines otherwise. A choice
 * has an id that names the session and the rating. Stars need no translation.
 */
import type { Channel } from '../../platform/config.ts'
import type { SendableContent } from '../content.ts'

const ratings = [5, 4, 3, 2, 1] as const

/** Titles are `5 ★★★★★` down to `1 ★`. */
export const toSurveyChoice = (sessionId: string, rating: number) => ({
  id: `survey:${sessionId}:${rating}`,
  title: `${rating} ${'★'.repeat(rating)}`,
})

export function buildSurveyContent(channel: Channel, question: string, sessionId: string): SendableContent {
  const choices = ratings.map(rating => toSurveyChoice(sessionId, rating))
  const body = { text: question }
  if (channel === 'chatapp')
    return {
      type: 'rich',
      rich: { body, actions: [{ type: 'list', title: '1–5 ★', sections: [{ rows: choices }] }] },
    }
  if (channel === 'socialapp' || channel === 'webchat')
    return {
      type: 'rich',
      rich: { body, actions: choices.map(choice => ({ type: 'reply' as const, ...choice })) },
    }
  // Characters outside of the alphabet of SMS would more than double the price of the message.
  const lines = ratings.map(rating => `${rating} ${'*'.repeat(rating)}`)
  return { type: 'text', text: { body: [question, ...lines].join('\n') } }
}

/** Returns the session and the rating of a choice; undefined for a choice of another message. */
export function parseSurveyChoice(id: string): { sessionId: string; rating: number } | undefined {
  const [, sessionId, rating] = /^survey:([^:]+):([1-5])$/.exec(id) ?? []
  return sessionId === undefined ? undefined : { sessionId, rating: Number(rating) }
}

/** Returns the rating that a text consists of, such as `5`, `4/5`, `5!` or `★★★★`. */
export function parseRating(text: string): number | undefined {
  const trimmed = text.trim()
  const [, digit] =
    /^([1-5])(?:\uFE0F?\u20E3)?(?:\s*\/\s*5)?(?:\s*[★⭐*]+\uFE0F?)?\s*[.!]*$/u.exec(trimmed) ?? []
  if (digit !== undefined) return Number(digit)
  const stars = /^(?:[★⭐]\uFE0F?\s*){1,5}$/u.test(trimmed) ? trimmed.match(/[★⭐]/gu)! : []
  return stars.length > 0 ? stars.length : undefined
}
