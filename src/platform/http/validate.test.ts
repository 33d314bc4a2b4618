import Type from 'typebox'
import { expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import type { Problem, Violation } from '../errors.ts'
import { object, variants } from './schemas.ts'
import { createCheck } from './validate.ts'

const Condition = variants('type', [
  object({ type: Type.Literal('text'), text: Type.String({ maxLength: 200 }) }),
  object({ type: Type.Literal('tags'), ids: Type.Array(Type.String(), { maxItems: 100 }) }),
])
const check = createCheck(
  object({
    conditions: Type.Optional(Type.Array(Condition)),
    limited: Type.Optional(Type.Array(Condition, { maxItems: 20 })),
    choice: Type.Optional(
      Type.Union([object({ a: Type.Integer() }), object({ b: Type.Array(Type.String()) })]),
    ),
  }),
)

function violationsOf(value: unknown): readonly Violation[] {
  try {
    check(value)
  } catch (error) {
    return (error as Problem).extras.violations!
  }
  throw new Error('the value is valid')
}

const many = <T>(build: (n: number) => T): T[] => Array.from({ length: 100_000 }, (_, n) => build(n))

test.each([
  ['unknown members', Object.fromEntries(many(n => [`k${n}`, 1])), 50, 'unknown_property'],
  ['invalid items', { conditions: many(() => ({ type: 'nothing' })) }, 50, 'invalid_value'],
  ['too many items', { limited: many(() => ({ type: 'nothing' })) }, 1, 'too_many'],
  [
    'unknown members of one item',
    { conditions: [Object.fromEntries([['type', 'text'], ...many(n => [`k${n}`, 1])])] },
    50,
    'required',
  ],
  ['a long array in a union', { choice: { b: many(() => 1) } }, 2, 'required'],
  ['a long text', { conditions: [{ type: 'text', text: 'x'.repeat(900_000) }] }, 1, 'too_long'],
] as [string, unknown, number, string][])(
  '%s: at most 50 violations, in bounded time',
  (_, value, count, code) => {
    violationsOf({ conditions: 1 })
    const startedAt = process.cpuUsage()
    const violations = violationsOf(value)
    const { user, system } = process.cpuUsage(startedAt)
    expect(violations).toHaveLength(count)
    expect(violations[0]!.code).toBe(code)
    expect((user + system) / 1_000).toBeLessThan(within(250))
  },
)

test('an object in place of a number is of the wrong type, whatever its members', () => {
  for (const value of [{ toString: 'x' }, { valueOf: 1, toString: null }, { constructor: 'x' }])
    expect(violationsOf({ choice: { a: value } })).toMatchObject([{ code: 'invalid_type' }])
})

test('an invalid item after many valid ones is one violation of the whole when it is too far away to be found', () => {
  const valid = { type: 'text', text: 'x' }
  expect(violationsOf({ conditions: [valid, valid, { type: 'text' }] })).toEqual([
    { field: 'conditions[2].text', code: 'required', message: 'is required' },
  ])
  expect(violationsOf({ conditions: [...many(() => valid), { type: 'text' }] })).toEqual([
    { field: 'body', code: 'invalid', message: 'is not valid' },
  ])
})
