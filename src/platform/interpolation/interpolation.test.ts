import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { createBudget, findPlaceholders, findTemplateErrors, interpolate } from './interpolation.ts'

const scope = {
  contact: {
    name: 'Ada',
    phone: null,
    customFields: { plan: 'gold', 'Favourite colour': 'red', 'a.b': 'dot', blank: ' ' },
  },
  variables: { n: 3, ok: false, list: ['x', 'y'], deep: { a: 1 } },
}

describe('interpolate', () => {
  test.each([
    ['Hi {{contact.name}}!', 'Hi Ada!'],
    ['{{ contact . name }}', 'Ada'],
    ['{{contact.customFields.plan}} {{contact.customFields.Favourite colour}}', 'gold red'],
    ['{{contact.customFields["a.b"]}}', 'dot'],
    ["{{contact['name']}}", 'Ada'],
    ['{{variables.n}} {{variables.ok}} {{variables.list.1}} {{variables.deep}}', '3 false y {"a":1}'],
    ['{{contact.phone | default: "none"}}', 'none'],
    ["{{contact.nothing|default:'you'}}", 'you'],
    ['{{contact.nothing | default: dear friend }}', 'dear friend'],
    ['{{contact.nothing | default: "}} and | too"}}', '}} and | too'],
    ['{{contact.customFields.blank | default: ""}}.', '.'],
    ['{{contact.name | default: "x"}}', 'Ada'],
    ['\\{{contact.name}} { } }}', '{{contact.name}} { } }}'],
    ['', ''],
  ])('%s → %s', (template, text) => {
    expect(interpolate(template, scope)).toEqual({ text, missing: [] })
    expect(findTemplateErrors(template)).toEqual([])
  })

  test('what is absent, null or blank is reported', () => {
    const { text, missing } = interpolate(
      'a{{contact.phone}}b{{contact.customFields.blank}}c{{event.x}}d',
      scope,
    )
    expect(text).toBe('abcd')
    expect(missing).toEqual(['contact.phone', 'contact.customFields.blank', 'event.x'])
  })

  test.each(['__proto__', 'constructor', 'toString', 'constructor.constructor', 'length'])(
    'what is not an own member of the data is not there: %s',
    path => {
      expect(interpolate(`{{contact.${path}}}`, scope).missing).toHaveLength(1)
      expect(interpolate(`{{contact.name.${path}}}`, scope).missing).toHaveLength(1)
    },
  )

  test.each([
    '{{',
    'a {{contact.name',
    '{{}}',
    '{{ }}',
    '{{.a}}',
    '{{a..b}}',
    '{{1}}',
    '{{a | upper}}',
    '{{a | default}}',
    '{{a[b]}}',
    '{{a.}}',
  ])('a fault is said and counts as missing: %s', template => {
    expect(findTemplateErrors(template)).toHaveLength(1)
    expect(interpolate(template, { a: { b: 'x' } }).missing).toHaveLength(1)
  })

  test('placeholders have their path and whether the value is required', () => {
    expect(findPlaceholders('{{contact.name}} {{contact.customFields.x | default: y}}')).toEqual([
      { path: ['contact', 'name'], fallback: undefined },
      { path: ['contact', 'customFields', 'x'], fallback: 'y' },
    ])
  })

  test('the text that placeholders produce is limited, and a value beyond the limit is missing', () => {
    const data = { text: 'x'.repeat(100_000) }
    const template = '{{data}}'.repeat(900)
    const budget = createBudget()
    const { text, missing } = interpolate(template, { data }, budget)
    expect(budget.exceeded).toBe(true)
    expect(text.length).toBeLessThan(300_000)
    expect(missing).toEqual(['data'])
    expect(interpolate('{{data}}'.repeat(15_000), { data }).text.length).toBeLessThan(300_000)
    const blank = createBudget(1_000)
    expect(interpolate('{{data.none | default: ""}}'.repeat(100), { data }, blank).missing).toHaveLength(1)
    expect(blank.exceeded).toBe(true)
  })

  test('a placeholder of spaces and a text of opening braces are parsed in linear time', () => {
    const spaces = `{{a | default: ${'x '.repeat(100)}${' '.repeat(270)}|}}`
    const startedAt = performance.now()
    expect(findTemplateErrors(spaces.repeat(500))).toHaveLength(500)
    expect(findTemplateErrors('{{'.repeat(500_000)).at(-1)).toContain('at most 1000 placeholders')
    expect(performance.now() - startedAt).toBeLessThan(within(2_000))
  })

  test('any text at all is taken; values are never looked into again', () => {
    const braces = fc.stringMatching(/^[{}|."'\\[\] a:default]*$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), braces), fc.string({ minLength: 1 }), (template, value) => {
        const { text, missing } = interpolate(template, { a: value })
        expect(typeof text).toBe('string')
        expect(missing.length).toBeGreaterThanOrEqual(findTemplateErrors(template).length)
        if (value.trim() !== '') expect(interpolate('{{a}}', { a: value }).text).toBe(value)
      }),
    )
  })
})
