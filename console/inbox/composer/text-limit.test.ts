/** Tests that a text is measured as the service measures it. */
import { expect, test } from 'vitest'
import type { Channel } from '../channels.ts'
import { measureText } from './text-limit.ts'

const isTooLong = (text: string, channel: Channel, kind: { isNote?: boolean; hasFiles?: boolean } = {}) =>
  measureText(text, { channel, isNote: false, hasFiles: false, ...kind }).isTooLong

test.each([
  ['chatapp', 4_096],
  ['sms', 1_600],
  ['webchat', 4_096],
] as const)('%s takes %i characters, and an emoji is one', (channel, max) => {
  expect(isTooLong('😀'.repeat(max), channel)).toBe(false)
  expect(isTooLong('x'.repeat(max + 1), channel)).toBe(true)
})

test('socialapp takes 1,000 bytes', () => {
  expect(isTooLong('é'.repeat(500), 'socialapp')).toBe(false)
  expect(isTooLong('é'.repeat(501), 'socialapp')).toBe(true)
})

test('a caption is shorter, except where the text is a message of its own; a note is longer', () => {
  const text = 'x'.repeat(1_025)
  expect(isTooLong(text, 'chatapp', { hasFiles: true })).toBe(true)
  expect(isTooLong(text.slice(0, 1_000), 'socialapp', { hasFiles: true })).toBe(false)
  expect(isTooLong('x'.repeat(10_000), 'sms', { isNote: true })).toBe(false)
})

test('the count appears near the limit', () => {
  const measure = (length: number) =>
    measureText('x'.repeat(length), { channel: 'sms', isNote: false, hasFiles: false }).hint
  expect([measure(1_280), measure(1_281), measure(1_601)]).toEqual([
    undefined,
    '1281 of 1600 characters',
    'Too long: 1601 of 1600 characters',
  ])
})
