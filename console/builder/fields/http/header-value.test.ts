import { expect, test } from 'vitest'
import { isRepeated, parseSecret, toHeaders, toRows, writeSecret } from './header-value.ts'

test('a secret at the end of a value is edited on its own; other values are texts', () => {
  for (const value of ['Bearer {{secrets.shop_token}}', '{{secrets.a}}', 'Token {{secrets.}}'])
    expect(writeSecret(parseSecret(value)!)).toBe(value)
  expect(parseSecret('Bearer {{ secrets.shop }}')).toEqual({ prefix: 'Bearer ', secret: 'shop' })
  for (const value of [
    '',
    'plain',
    '{{contact.name}}',
    '{{secrets.a}} and more',
    '{{secrets.a}}{{secrets.b}}',
  ])
    expect(parseSecret(value)).toBeUndefined()
})

test('rows without a name are kept on the screen only', () => {
  const rows = [
    { name: 'accept', value: 'text/plain' },
    { name: '', value: 'typed first' },
    { name: 'Accept', value: '*/*' },
  ]
  expect(toHeaders(rows)).toEqual({ accept: 'text/plain', Accept: '*/*' })
  expect(toHeaders(rows.slice(1, 2))).toBeUndefined()
  expect(toRows(toHeaders(rows))).toHaveLength(2)
  expect([0, 1, 2].map(i => isRepeated(rows, i))).toEqual([true, false, true])
})
