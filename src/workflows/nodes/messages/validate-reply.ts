/** Validates replies of the `ask` node and parses their values. */
import Type, { type Static } from 'typebox'
import { canonicalPhone } from '../../../contacts/phones.ts'
import { type Violation, violation } from '../../../platform/errors.ts'
import { isDate, isTimestamp, literals } from '../../../platform/http/schemas.ts'
import { findPatternError } from '../../expressions/regex.ts'
import type { Json, Step } from '../node-type.ts'
import { normalizeReply } from '../shared.ts'

export const validations = ['text', 'number', 'email', 'phone', 'date', 'choice', 'regex'] as const

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
}

interface ReplyRules {
  validate?: Static<typeof replyProperties.validate>
  choices?: string[]
  pattern?: string
}

export function replyRuleViolations({ validate = 'text', choices, pattern }: ReplyRules): Violation[] {
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
  return faults
}

const email = /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/

type ParseReply = (text: string, expected: ReplyRules, replyId: string | null) => Json | undefined

const parsers: Record<Exclude<(typeof validations)[number], 'regex'>, ParseReply> = {
  text: text => (text === '' ? undefined : text),
  number: text => {
    const written = text.replace(/\s/g, '').replace(',', '.')
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(written) ? Number(written) : undefined
  },
  email: text => (email.test(text) && text.length <= 254 ? text : undefined),
  phone: text => canonicalPhone(text),
  date: text => parseDate(text),
  choice: (text, { choices = [] }, replyId) =>
    choices.find(choice => choice === replyId || normalizeReply(choice) === normalizeReply(text)) ??
    choices[Number(text) - 1],
}

/** Accepts `2026-01-31`, `31.1.2026` and timestamps. */
function parseDate(text: string): string | undefined {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const day = dotted ? `${dotted[3]}-${dotted[2]!.padStart(2, '0')}-${dotted[1]!.padStart(2, '0')}` : text
  return isDate(day) || isTimestamp(day) ? day : undefined
}

/** Returns the value of a reply, or undefined if the reply is invalid. */
export async function parseReply(
  expected: ReplyRules,
  reply: string,
  replyId: string | null,
  matchesPattern: Step['matchesPattern'],
): Promise<Json | undefined> {
  const { validate = 'text', pattern = '' } = expected
  const text = reply.trim()
  if (validate === 'regex') return (await matchesPattern(pattern, text)) ? text : undefined
  return parsers[validate](text, expected, replyId)
}
