/** Tests that any definition of a flow becomes screens: nested parts, unknown parts, wrong types and sizes. */
import { expect, test } from 'vitest'
import { toScreens } from './flow-screens.ts'

const show = (...children: unknown[]) =>
  toScreens({ screens: [{ id: 'A', title: 'T', layout: { children } }] })[0]!.parts.map(
    ({ kind, text, options }) => [kind, text, ...options].join(' '),
  )

test('all branches of conditions are listed, in their order', () => {
  const caption = (text: string) => ({ type: 'TextCaption', text })
  const cases = { a: [caption('three')], b: [{ type: 'Form', children: [caption('four')] }] }
  expect(
    show(
      // biome-ignore lint/suspicious/noThenProperty: the syntax of flows
      { type: 'If', then: [caption('one')], else: [caption('two')] },
      { type: 'Switch', value: 'x', cases },
      { type: 'ImageCarousel', images: [{ 'alt-text': 'five' }] },
    ),
  ).toEqual(['caption one', 'caption two', 'caption three', 'caption four', 'image five'])
})

test('rich text has paragraphs, and lists have their titles', () => {
  expect(
    show(
      { type: 'RichText', text: ['# One', 'two'] },
      { type: 'NavigationList', label: 'Go to', 'list-items': [{ 'main-content': { title: 'Home' } }] },
    ),
  ).toEqual(['text # One\ntwo', 'choice Go to Home'])
})

test('parts of unknown kinds and of wrong types are left out', () => {
  expect(show({ type: 'constructor', text: 'x' }, null, 'x', { type: 'TextBody', text: {} })).toEqual([
    'text ',
  ])
  for (const definition of [{}, { screens: 'x' }, { screens: [null, 1] }])
    expect(toScreens(definition)).toEqual([])
  expect(toScreens({ screens: [{ layout: [] }] })).toEqual([
    { id: '', title: '', isTerminal: false, parts: [] },
  ])
})

test('a deep or long definition is cut', () => {
  let deep: object = { type: 'TextBody', text: 'x' }
  for (let i = 0; i < 1_000; i++) deep = { type: 'Form', children: [deep] }
  expect(show(deep)).toEqual([])
  const long = { type: 'TextBody', text: 'x'.repeat(10_000) }
  const parts = show(...Array(500).fill(long))
  expect([parts.length, parts[0]!.length]).toEqual([100, 'text '.length + 4_096])
})
