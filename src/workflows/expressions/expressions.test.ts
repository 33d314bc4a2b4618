import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import {
  BudgetExceeded,
  ExpressionError,
  evaluateExpression,
  findExpressionError,
  maxSteps,
} from './expressions.ts'
import { estimateSize, findPatternError, matchesPattern } from './regex.ts'

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
    ['variables.age % 7', 2],
    ['7 % variables.age', 7],
    ['variables.age % variables.price', 1.5],
    ['has(variables.zip) ? variables.zip : "none"', 'none'],
    ['size(event.data.items) > 1', true],
    ['variables.list.exists(x, x > 2.0)', true],
    ['timestamp("2026-01-01T00:00:00Z") < now', true],
    ['contact.name.matches("^A")', true],
    ['(contact.name + " matches").matches("matches$")', true],
    ['["matches"].exists(m, m.matches("matches"))', true],
  ])('%s', (text, value) => {
    expect(findExpressionError(text)).toBeUndefined()
    expect(evaluateExpression(text, scope, maxSteps)).toEqual(value)
  })

  test.each(['1 +', 'foo.bar', 'process.exit()', '[1].map(x, [2].map(y, x))', 'x'.repeat(3_000)])(
    'a fault: %s',
    text => expect(findExpressionError(text)).toEqual(expect.any(String)),
  )

  test.each([
    ['variables.nope', null],
    ['variables.nope == 1', false],
    ['variables.nope != 1', true],
    ['variables.nope > 1 || variables.nope <= 1', false],
    ['variables.a.b.c == null', true],
    ['has(variables.a.b)', false],
    ['variables.nope.exists(x, x > 1.0)', false],
    ['variables.list.exists(x, x.y)', false],
    ['variables.list.filter(x, x > variables.nope)', []],
    ['variables.nope && true', false],
    ['!variables.nope', true],
    ['variables.nope ? 1 : 2', 2],
    ['variables.list[5]', null],
    ['-variables.nope + 1', null],
    ['size(variables.nope) > 0', false],
    ['variables.nope.contains("x")', null],
    ['"a" in variables.nope || variables.nope in ["a"]', false],
    ['message.text == "x"', false],
    ['variables.__proto__', null],
    ['contact.constructor', null],
  ])('a missing member is null: %s', (text, value) => {
    expect(evaluateExpression(text, scope, maxSteps)).toEqual(value)
  })

  test('ExpressionError for a wrong type', () => {
    expect(() => evaluateExpression('variables.age + "a"', scope, maxSteps)).toThrow(ExpressionError)
  })

  test('a pattern with exponential backtracking matches in linear time', () => {
    expect(evaluateExpression('variables.text.matches("(a+)+$")', scope, maxSteps)).toBe(false)
    expect(matchesPattern('(a|a)*$x', 'a'.repeat(10_000))).toBe(false)
    expect(findPatternError('(')).toEqual(expect.any(String))
  })

  test('BudgetExceeded before the work is done, whatever an operator would ignore', () => {
    const list = Array.from({ length: 16_000 }, (_, i) => i)
    const large = { ...scope, variables: { list, text: 'a'.repeat(60_000), end: `b${'a'.repeat(20_000)}` } }
    for (const text of [
      'variables.list.all(x, x in variables.list)',
      'variables.list.exists(x, x == -1.0 || variables.list == [x])',
      'variables.list.map(x, variables.text + string(x)).size() > 0',
      'variables.text.contains(variables.end)',
      'variables.text.matches("(a?){200}$")',
      `cel.bind(a, variables.list + variables.list, ${'cel.bind(a, a + a, '.repeat(6)}size(a)${')'.repeat(7)}`,
    ]) {
      expect(findExpressionError(text), text).toBeUndefined()
      const startedAt = performance.now()
      expect(() => evaluateExpression(text, large, maxSteps), text).toThrow(BudgetExceeded)
      expect(performance.now() - startedAt, text).toBeLessThan(within(3_000))
    }
    expect(() => evaluateExpression('variables.list.map(x, variables.list)', large, maxSteps)).toThrow(
      'the result is too large',
    )
  })

  test('takes the same steps each time, and budgets do not leak into the next evaluation', () => {
    const text = 'variables.list.exists(x, x > 2.0) && contact.name.matches("^A")'
    const succeeds = (steps: number) => {
      try {
        return evaluateExpression(text, scope, steps) === true
      } catch (error) {
        expect(error).toBeInstanceOf(BudgetExceeded)
        return false
      }
    }
    const needed = Array.from({ length: 500 }, (_, steps) => steps).find(succeeds)!
    expect(needed).toBeGreaterThan(3)
    expect([succeeds(needed - 1), succeeds(needed), succeeds(needed - 1)]).toEqual([false, true, false])
  })

  test.each([
    '.{1000}x.{1000}',
    '((a{0,30}){0,30}b?)$',
    `(?i)${'\\pL'.repeat(100)}`,
    '\\Q[\\E(a{999}b){2}',
    '(x?a?b?){400}[^a]$',
  ])('a pattern that expands too far is refused without compiling it: %s', pattern => {
    const startedAt = performance.now()
    expect(findPatternError(pattern)).toContain('too complex')
    expect(performance.now() - startedAt).toBeLessThan(within(200))
  })

  test.each([
    '^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$',
    '^\\+?[0-9]{7,15}$',
    '[[:alpha:]]{3,100}',
    '^.{1,300}$',
    '\\d{4}-\\d{2}',
  ])('an ordinary pattern is accepted, and its estimate covers the compiled size: %s', pattern => {
    expect(findPatternError(pattern)).toBeUndefined()
    expect(estimateSize(pattern)).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize() - 2)
  })
})
