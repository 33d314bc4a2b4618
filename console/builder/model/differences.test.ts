/** Tests what the two sides of a conflict differ in. */
import { expect, test } from 'vitest'
import type { Definition } from './definition.ts'
import { compareOutputs, compareSettings } from './differences.ts'
import { mergeDefinitions } from './merge.ts'

const start = { id: 'start', type: 'start', data: {} }
const note = (id: string) => ({ id, type: 'note', data: { text: id } })
const wait = (timeout: object, cases: object[]) => ({ id: 'wait', type: 'waitFor', data: { cases, timeout } })
const edge = (id: string, source: string, target: string, sourceHandle: string | null = 'next') => ({
  id,
  source,
  target,
  sourceHandle,
})
const paid = { id: 'paid', event: 'paid' }

test('settings differ by property and by position in a list', () => {
  const build = (timeout: object, cases: object[]): Definition => ({
    nodes: [start, wait(timeout, cases)],
    edges: [],
  })
  const base = build({ days: 1 }, [paid])
  const mine = build({ days: 2 }, [{ ...paid, event: 'ordered' }])
  const theirs = build({ hours: 2 }, [paid, { id: 'left', event: 'left' }])
  const { conflicts } = mergeDefinitions(base, mine, theirs)
  expect(conflicts.map(compareSettings)).toEqual([
    [
      { path: ['cases', '0', 'event'], mine: 'ordered', theirs: 'paid' },
      { path: ['cases', '1'], mine: undefined, theirs: { id: 'left', event: 'left' } },
      { path: ['timeout', 'days'], mine: 2, theirs: undefined },
      { path: ['timeout', 'hours'], mine: undefined, theirs: 2 },
    ],
  ])
})

test('of one output that both connected, each side has its target; settings are the same', () => {
  const nodes = [start, note('a'), note('b')]
  const base = { nodes, edges: [] }
  const mine = { nodes, edges: [edge('1', 'start', 'a')] }
  const theirs = { nodes, edges: [edge('2', 'start', 'b')] }
  const [conflict] = mergeDefinitions(base, mine, theirs).conflicts
  expect(compareSettings(conflict!)).toEqual([])
  expect(compareOutputs(conflict!, mine, theirs)).toEqual([
    { output: 'next', mine: note('a'), theirs: note('b') },
  ])
  expect(compareOutputs(conflict!, mine, { nodes, edges: [] })).toMatchObject([{ theirs: undefined }])
})

test('a node that is kept although one side deleted it keeps its edges', () => {
  const nodes = [start, note('a'), note('b')]
  const edges = [edge('1', 'start', 'a'), edge('2', 'a', 'b')]
  const base = { nodes, edges }
  const without = { nodes: [start, note('b')], edges: [edge('3', 'start', 'b')] }
  const changed = { nodes: [start, { ...note('a'), data: { text: 'changed' } }, note('b')], edges }
  const merge = (mine: Definition, theirs: Definition, side: 'mine' | 'theirs') => {
    const { conflicts, definition } = mergeDefinitions(base, mine, theirs, new Map([['a', side]]))
    expect(conflicts.map(({ nodeId }) => nodeId)).toEqual(['a'])
    return [definition.nodes.length, definition.edges.map(({ id }) => id).toSorted()]
  }
  expect(merge(without, changed, 'theirs')).toEqual([3, ['1', '2']])
  expect(merge(changed, without, 'mine')).toEqual([3, ['1', '2']])
  expect(merge(without, changed, 'mine')).toEqual([2, ['3']])
  expect(merge(changed, without, 'theirs')).toEqual([2, ['3']])
})

test('a node that one side deleted has nothing to compare', () => {
  const base = { nodes: [start, note('a')], edges: [edge('1', 'start', 'a')] }
  const mine = { nodes: [start], edges: [] }
  const theirs = { nodes: [start, { ...note('a'), data: { text: 'changed' } }], edges: base.edges }
  const [conflict] = mergeDefinitions(base, mine, theirs).conflicts
  expect(compareSettings(conflict!)).toEqual([])
  expect(compareOutputs(conflict!, mine, theirs)).toEqual([])
})
