/** Validates replies of the `ask` node and parses their values. */
import Type, { type Static } from 'typebox'
import { canonicalPhone } from '../../../contacts/identities/phones.ts'
import type { Message } from '../../../conversations/schemas.ts'
import { listFormValues } from '../../../inboxes/content.ts'
import { type Violation, violation } from '../../../platform/errors.ts'
import { isEmail, literals } from '../../../platform/http/schemas.ts'
import { findPatternError } from '../../expressions/regex.ts'
import { normalizeReply } from '../node-fields.ts'
import type { Json, Step } from '../node-type.ts'
import { parseDate, parseNumber } from './parse-values.ts'

export const validations = ['text', 'number', 'email', 'phone', 'date', 'choice', 'regex', 'media'] as const

export const replyProperties = {
  validate: Type.Optional(literals(validations, { description: 'Default text' })),
  choices: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'For choice',
    }),
  ),
  pattern: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'For regex: RE2 syntax, may match anywhere' }),
  ),
  locale: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 35,
      description:
        'For number and date, such as de-DE; default: the country of the phone number of the contact, otherwise the locale of the workspace unless it is en',
    }),
  ),
}

interface ReplyRules {
  validate?: Static<typeof replyProperties.validate>
  choices?: string[]
  pattern?: string
  locale?: string
}

export function replyRuleViolations({
  validate = 'text',
  choices,
  pattern,
  locale,
}: ReplyRules): Violation[] {
  const faults: Violation[] = []
  const needs = (name: string, value: unknown, by: string) => {
    if (validate === by && value === undefined)
      faults.push(violation(name, 'required', `is required when validate is ${by}`))
    if (validate !== by && value !== undefined)
      faults.push(violation(name, 'unexpected', `must only be set when validate is ${by}`))
  }
  needs('choices', choices, 'choice')
  needs('pattern', pattern, 'regex')
  const fault = pattern === undefined ? undefined : findPatternError(pattern)
  if (fault) faults.push(violation('pattern', 'invalid_pattern', fault))
  if (locale !== undefined && !isLocale(locale))
    faults.push(violation('locale', 'invalid_locale', 'must be a locale such as de-DE'))
  return faults
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch {
    return false
  }
}

type ParseReply = (text: string, expected: ReplyRules, replyId: string | null) => Json | undefined

const parsers: Record<Exclude<(typeof validations)[number], 'regex' | 'media'>, ParseReply> = {
  text: text => (text === '' ? undefined : text),
  number: (text, { locale }) => parseNumber(text, locale),
  email: text => (isEmail(text) ? text : undefined),
  phone: text => canonicalPhone(text),
  date: (text, { locale }) => parseDate(text, locale),
  choice: (text, { choices = [] }, replyId) =>
    choices.find(choice => choice === replyId || normalizeReply(choice) === normalizeReply(text)) ??
    choices[Number(text) - 1],
}

/** Returns the value of a reply, or undefined if the reply is invalid. */
export async function parseReply(
  expected: ReplyRules,
  reply: string,
  replyId: string | null,
  matchesPattern: Step['matchesPattern'],
  messages: readonly Message[] = [],
): Promise<Json | undefined> {
  const { validate = 'text', pattern = '' } = expected
  const text = reply.trim()
  if (validate === 'media') return findMedia(messages)
  const parse = async (value: string) =>
    validate !== 'regex'
      ? parsers[validate](value, expected, replyId)
      : (await matchesPattern(pattern, value))
        ? value
        : undefined
  for (const value of [text, ...listAnswers(messages)]) {
    const answer = await parse(value)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Of a form, the first value that is valid is the answer. */
const listAnswers = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => (content.type === 'formResponse' ? listFormValues(content) : []))

/** Returns the latest file of the reply: an image, a voice note or a document. */
function findMedia(messages: readonly Message[]): Json | undefined {
  const message = messages.findLast(({ content }) => content.type === 'media')
  if (message?.content.type !== 'media') return undefined
  const { mediaId, caption } = message.content.media
  return { messageId: message.id, mediaId, caption: caption ?? null }
}
