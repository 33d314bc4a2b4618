import { describe, expect, test } from 'vitest'
import { ExpressionError, evaluateExpression, findExpressionError } from './expressions.ts'
import { findPatternError, matchesPattern } from './regex.ts'

const scope = {
  contact: { name: 'Ann', customFields: { plan: 'gold' } },
  conversation: null,
  message: null,
  variables: { age: 30, price: 9.5, text: `${'a'.repeat(5_000)}!`, list: [1, 2, 3] },
  event: { name: 'order', key: null, data: { items: [1, 2] } },
  now: new Date('2026-05-01T00:00:00Z'),
}

describe('expressions', () => {
  test.each([
    ['variables.age >= 18 && contact.customFields.plan == "gold"', true],
    ['variables.age + 1', 31],
    ['variables.price * 2', 19],
    ['1 - variables.price', -8.5],
    ['has(variables.zip) ? variables.zip : "none"', 'none'],
    ['size(event.data.items) > 1', true],
    ['variables.list.exists(x, x > 2.0)', true],
    ['timestamp("2026-01-01T00:00:00Z") < now', true],
    ['contact.name.matches("^A")', true],
    ['(contact.name + " matches").matches("matches$")', true],
    ['["matches"].exists(m, m.matches("matches"))', true],
  ])('%s', (text, value) => {
    expect(findExpressionError(text)).toBeUndefined()
    expect(evaluateExpression(text, scope)).toEqual(value)
  })

  test.each(['1 +', 'foo.bar', 'process.exit()', '[1].map(x, [2].map(y, x))', 'x'.repeat(3_000)])(
    'a fault: %s',
    text => expect(findExpressionError(text)).toEqual(expect.any(String)),
  )

  test('ExpressionError for a missing member, a prototype and a wrong type', () => {
    for (const text of [
      'variables.nope == 1',
      'variables.__proto__',
      'contact.constructor',
      'variables.age + "a"',
    ])
      expect(() => evaluateExpression(text, scope)).toThrow(ExpressionError)
  })

  test('a pattern with exponential backtracking matches in linear time', () => {
    expect(evaluateExpression('variables.text.matches("(a+)+$")', scope)).toBe(false)
    expect(matchesPattern('(a|a)*$x', 'a'.repeat(10_000))).toBe(false)
    expect(findPatternError('(')).toEqual(expect.any(String))
  })
})
