import { expect, test } from 'vitest'
import type { PageState } from '../protocol.ts'
import { describeVisit } from './visit.ts'

const state: PageState = {
  isOpen: false,
  locale: 'de_AT',
  theme: undefined,
  page: 'https://shop.example/lamps',
  referrer: '',
}

test('a locale of another form becomes a tag, and English if it is none', () => {
  expect(describeVisit(state).locale).toBe('de-AT')
  for (const locale of ['', 'x', 'de_AT.UTF-8', 'x'.repeat(36)])
    expect(describeVisit({ ...state, locale }).locale).toBe('en')
})

test('only web addresses are sent, and no longer than the service accepts', () => {
  expect(describeVisit({ ...state, referrer: 'android-app://org.example/' }).referrer).toBe('')
  const page = `https://shop.example/${'a'.repeat(3000)}`
  expect(describeVisit({ ...state, page }).page).toBe(page.slice(0, 2000))
  expect(describeVisit(state).page).toBe('https://shop.example/lamps')
})
