/** The test vectors are those of RFC 6238, appendix B, with the last six of their eight digits. */
import { expect, test } from 'vitest'
import { computeCode, findStep, getStep, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is %s', (seconds, code) => {
  expect(computeCode(secret, getStep(at(seconds)))).toBe(code)
  expect(findStep(secret, code, at(seconds))).toBe(Math.floor(seconds / 30))
})

test.each([
  [-60, undefined],
  [-30, 41_152_263],
  [30, 41_152_263],
  [60, undefined],
])('a clock that is off by %i s finds the step %s', (off, step) => {
  expect(findStep(secret, '005924', at(1_234_567_890 + off))).toBe(step)
})

test('base32 as authenticator apps read it', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
})
