/** What counts as an answer, and the value that it stands for. */
import Type, { type Static } from 'typebox'
import { canonicalPhone } from '../../contacts/phones.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { isDate, isTimestamp, literals } from '../../platform/http/schemas.ts'
import { matchesPattern, patternFault } from '../patterns.ts'
import type { Json } from './kind.ts'
import { plain } from './parts.ts'

export const validations = ['text', 'number', 'email', 'phone', 'date', 'choice', 'regex'] as const

export const answerMembers = {
  validate: Type.Optional(literals(validations, { description: 'text when left out' })),
  choices: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'For choice',
    }),
  ),
  pattern: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'For regex; RE2, found anywhere' }),
  ),
}

interface Expected {
  validate?: Static<typeof answerMembers.validate>
  choices?: string[]
  pattern?: string
}

export function answerFaults({ validate = 'text', choices, pattern }: Expected): Violation[] {
  const faults: Violation[] = []
  const needs = (name: string, value: unknown, by: string) => {
    if (validate === by && value === undefined)
      faults.push(violation(name, 'required', `is required when validate is ${by}`))
    if (validate !== by && value !== undefined)
      faults.push(violation(name, 'unexpected', `is only for validate ${by}`))
  }
  needs('choices', choices, 'choice')
  needs('pattern', pattern, 'regex')
  const fault = pattern === undefined ? undefined : patternFault(pattern)
  if (fault) faults.push(violation('pattern', 'invalid_pattern', fault))
  return faults
}

const email = /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/

type Read = (text: string, expected: Expected, replyId: string | null) => Json | undefined

const readers: Record<(typeof validations)[number], Read> = {
  text: text => (text === '' ? undefined : text),
  number: text => {
    const written = text.replace(/\s/g, '').replace(',', '.')
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(written) ? Number(written) : undefined
  },
  email: text => (email.test(text) && text.length <= 254 ? text : undefined),
  phone: text => canonicalPhone(text),
  date: text => dateIn(text),
  choice: (text, { choices = [] }, replyId) =>
    choices.find(choice => choice === replyId || plain(choice) === plain(text)) ?? choices[Number(text) - 1],
  regex: (text, { pattern = '' }) => (matchesPattern(pattern, text) ? text : undefined),
}

/** Days as `2026-01-31`, `31.1.2026` or a timestamp. */
function dateIn(text: string): string | undefined {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const day = dotted ? `${dotted[3]}-${dotted[2]!.padStart(2, '0')}-${dotted[1]!.padStart(2, '0')}` : text
  return isDate(day) || isTimestamp(day) ? day : undefined
}

/** The value of an answer, or nothing when it is none. */
export function answerIn(expected: Expected, text: string, replyId: string | null): Json | undefined {
  return readers[expected.validate ?? 'text'](text.trim(), expected, replyId)
}
