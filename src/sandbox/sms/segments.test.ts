import { expect, it } from 'vitest'
import { countSegments } from './segments.ts'

it.each([
  ['a', 0, 1],
  ['a', 160, 1],
  ['a', 161, 2],
  ['a', 306, 2],
  ['a', 307, 3],
  ['€', 80, 1],
  ['€', 81, 2],
  ['😀', 35, 1],
  ['😀', 36, 2],
  ['😀', 67, 3],
  ['ç', 70, 1],
  ['ç', 71, 2],
])('counts %s × %i as %i', (char, times, expected) => {
  expect(countSegments(char.repeat(times))).toBe(expected)
})

it('never cuts a character that takes two units', () => {
  expect(countSegments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toBe(3)
  expect(countSegments(`${'a'.repeat(151)}€${'a'.repeat(153)}`)).toBe(2)
})
