import { expect, test } from 'vitest'
import type { Condition } from './filter/conditions.ts'
import { mergeDrafts } from './merge-drafts.ts'

const tag = (id: string): Condition => ({ type: 'hasAnyTag', tagIds: [id] })
const draft = (tags: string[], { name = 'VIPs', description = '', match = 'all' as 'all' | 'any' } = {}) => ({
  name,
  description,
  filter: { match, conditions: tags.map(tag) },
})

test('conditions that either added are included, those that either removed are not', () => {
  expect(mergeDrafts(draft(['a', 'b', 'c']), draft(['a', 'b', 'd']), draft(['a', 'c', 'e']))).toEqual(
    draft(['a', 'd', 'e']),
  )
  expect(mergeDrafts(draft(['a']), draft(['b']), draft(['b']))).toEqual(draft(['b']))
})

test('what only one changed is taken from them; of a name that both changed, mine stays', () => {
  const base = draft(['a'])
  expect(mergeDrafts(base, draft(['a'], { name: 'Theirs' }), draft(['a'], { match: 'any' }))).toEqual(
    draft(['a'], { name: 'Theirs', match: 'any' }),
  )
  expect(mergeDrafts(base, draft(['a'], { name: 'Theirs' }), draft(['a'], { name: 'Mine' }))?.name).toBe(
    'Mine',
  )
  expect(
    mergeDrafts(base, draft(['a'], { description: 'one' }), draft(['a'], { description: 'two' }))
      ?.description,
  ).toBe('one\ntwo')
  expect(
    mergeDrafts(base, draft(['a'], { description: 'one' }), draft(['a'], { description: 'one' }))
      ?.description,
  ).toBe('one')
})

test('too many conditions cannot be merged', () => {
  const many = (prefix: string) => Array.from({ length: 12 }, (_, n) => `${prefix}${n}`)
  expect(mergeDrafts(draft([]), draft(many('a')), draft(many('b')))).toBeUndefined()
})
