import { expect, test } from 'vitest'
import { assertModestJson } from './scan-json.ts'

const many = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n)).join()
const scan = (text: string) => () => assertModestJson(Buffer.from(text))

test.each([
  ['members', `{${many(2_001, n => `"m${n}":1`)}}`, 'an object has more than 2000 members'],
  [
    'members of an item',
    `{"a":[{},{${many(2_001, n => `"m${n}":1`)}}]}`,
    'an object has more than 2000 members',
  ],
  ['values', `{"a":[${many(50_001, () => '0')}]}`, 'the body has more than 50000 values'],
  ['levels', `{"a":${'['.repeat(64)}`, 'the body is nested deeper than 64 levels'],
])('400 for too many %s', (_, text, detail) => {
  expect(scan(text)).toThrow(detail)
})

test('passes what requests have: signs within texts, many small objects, and what the parser refuses', () => {
  const signs = JSON.stringify({ text: '{[",:\\"]}'.repeat(20_000) })
  const items = `[${many(1_900, n => `{"id":"n${n}","data":{"text":"a, b: \\\\"},"x":1}`)}]`
  for (const text of [signs, items, `{"a":${many(2_000, () => '1')}}`, '"unclosed {', ']]]:::'])
    expect(scan(text)).not.toThrow()
})
