/** Tests how entries are joined: each once, in its newest version, in one order. */
import { describe, expect, test } from 'vitest'
import { type Entry, merge } from './merge-entries.ts'

const message = (id: string, second: number, status: string, updated = second): Entry => {
  const toTime = (value: number) => new Date(value * 1_000).toISOString()
  const [at, updatedAt] = [toTime(second), toTime(updated)]
  return { type: 'message', id, at, message: { id, status, createdAt: at, updatedAt } } as Entry
}
const show = (entries: readonly Entry[]) =>
  entries.map(entry => (entry.type === 'message' ? `${entry.id} ${entry.message.status}` : entry.id))

describe('merge', () => {
  test('a batch with several versions of a new message adds the newest', () => {
    const batch = [message('a', 1, 'pending'), message('a', 1, 'sent', 2), message('a', 1, 'delivered', 3)]
    expect(show(merge([], batch))).toEqual(['a delivered'])
    expect(show(merge([], [...batch].reverse()))).toEqual(['a delivered'])
  })

  test('a newer version replaces a known one; an older one does not', () => {
    const known = [message('a', 1, 'sent', 2)]
    expect(show(merge(known, [message('a', 1, 'delivered', 3)]))).toEqual(['a delivered'])
    expect(show(merge(known, [message('a', 1, 'pending')]))).toEqual(['a sent'])
  })

  test('an older page comes first, new entries last, and those of the same moment keep their order', () => {
    const known = [message('c', 3, 'sent')]
    expect(show(merge(known, [message('a', 1, 'sent'), message('b', 3, 'sent')]))).toEqual([
      'a sent',
      'b sent',
      'c sent',
    ])
    expect(show(merge(known, [message('d', 4, 'sent'), message('e', 4, 'sent')]))).toEqual([
      'c sent',
      'd sent',
      'e sent',
    ])
  })
})
