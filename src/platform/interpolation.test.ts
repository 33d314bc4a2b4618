import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPlaceholders, findTemplateErrors, interpolate } from './interpolation.ts'

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

  test('places tell their path and whether the value is required', () => {
    expect(findPlaceholders('{{contact.name}} {{contact.customFields.x | default: y}}')).toEqual([
      { path: ['contact', 'name'], fallback: undefined },
      { path: ['contact', 'customFields', 'x'], fallback: 'y' },
    ])
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
