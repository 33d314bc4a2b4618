/** Tests the edits of definitions, undo and redo, the clipboard, and the merge of two editors' changes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getCatalogue } from '../../../src/workflows/catalogue.ts'
import { copyNodes, pasteClip, readClip } from './clipboard.ts'
import { type Definition, findEdge, listOutputs, withStart } from './definition.ts'
import { addAfter, connect, moveNodes, removeEdges, removeNodes, setData } from './edits.ts'
import { pushEdit, rebase, redo, startHistory, undo } from './history.ts'
import { mergeDefinitions } from './merge.ts'
import { moveStep } from './move-step.ts'
import { createNode } from './new-node.ts'
import { toProblems } from './problems.ts'
import { buildTree } from './tree.ts'

const catalogue = getCatalogue() as Parameters<typeof listOutputs>[1]
const rules = { catalogue, kind: 'journey' as const }
const types = catalogue.nodes.map(({ type }) => type).filter(type => type !== 'start')

const empty: Definition = {
  nodes: [
    { id: 'start', type: 'start', data: { triggerConfig: { type: 'manual' } }, position: { x: 0, y: 0 } },
  ],
  edges: [],
}

/** Applies a random edit; the numbers choose which and where. */
function applyRandom(definition: Definition, [kind, a, b]: readonly [number, number, number]): Definition {
  const node = definition.nodes[a % definition.nodes.length]!
  const other = definition.nodes[b % definition.nodes.length]!
  const outputs = listOutputs(node, catalogue, 'journey')
  const output = outputs[b % Math.max(1, outputs.length)]?.name
  switch (kind % 7) {
    case 0:
      return moveNodes(definition, new Map([[node.id, { x: a * 8, y: b * 8 }]]))
    case 1:
      return removeNodes(definition, new Set([node.id, other.id]), rules)
    case 2:
      return setData(definition, node.id, { ...node.data, note: a }, rules)
    case 3:
      return removeEdges(definition, new Set(definition.edges.slice(0, 1).map(({ id }) => id)))
    case 4:
      return output === undefined || other.type === 'start'
        ? definition
        : connect(definition, { nodeId: node.id, output }, other.id, rules)
    case 5: {
      const text = copyNodes(definition, new Set([node.id, other.id]))
      const clip = text === undefined ? undefined : readClip(text)
      return clip ? pasteClip(definition, clip, { x: a, y: b }).definition : definition
    }
    default: {
      const added = createNode(catalogue, types[b % types.length]!, { x: a, y: b }, 'UTC')
      return output === undefined
        ? definition
        : addAfter(definition, { nodeId: node.id, output }, added, rules)
    }
  }
}

const randomEdits = (length: number) =>
  fc.array(fc.tuple(fc.nat(99), fc.nat(999), fc.nat(999)), { minLength: length, maxLength: length })

describe('definitions', () => {
  test('a clip is pasted at finite positions whatever its text contains, and other texts are not clips', () => {
    const toText = (clip: object) => JSON.stringify({ type: 'parley/workflow-nodes@1', edges: [], ...clip })
    const node = { id: 'a', type: 'addTag', data: {} }
    for (const position of [undefined, null, 'here', {}, { x: null, y: 1 }]) {
      const clip = readClip(toText({ nodes: [{ ...node, position }] }))!
      const [, pasted] = pasteClip(empty, clip, { x: 40, y: 50 }).definition.nodes
      expect(pasted!.position).toEqual({ x: 40, y: 50 })
    }
    const broken = [{ nodes: [null] }, { nodes: [{ ...node, data: null }] }, { nodes: [node], edges: [null] }]
    for (const clip of broken) expect(readClip(toText(clip))).toBeUndefined()
  })
  test('a definition without a start is given one', () => {
    const loose = { nodes: [{ id: 'a', type: 'addTag', data: {} }], edges: [] }
    expect(withStart(loose, 'journey').nodes.map(({ id }) => id)).toEqual(['start', 'a'])
    expect(withStart(empty, 'journey')).toBe(empty)
  })
  test('after 100 random edits, undoing all returns to the first state and redoing all to the last', () => {
    fc.assert(
      fc.property(randomEdits(100), edits => {
        let history = startHistory(empty)
        for (const edit of edits) history = pushEdit(history, applyRandom(history.present, edit))
        const last = history.present
        const count = history.past.length
        expect(count).toBeGreaterThan(10)
        for (let i = 0; i < count; i++) history = undo(history)
        expect(history.present).toEqual(empty)
        expect(undo(history)).toBe(history)
        for (let i = 0; i < count; i++) history = redo(history)
        expect(history.present).toEqual(last)
        expect(redo(history)).toBe(history)
      }),
      { numRuns: 30 },
    )
  })

  test('random edits keep definitions sound: known nodes, one edge for each output, one start', () => {
    fc.assert(
      fc.property(randomEdits(60), edits => {
        const { nodes, edges } = edits.reduce(applyRandom, empty)
        const ids = new Set(nodes.map(({ id }) => id))
        expect(ids.size).toBe(nodes.length)
        expect(nodes.filter(({ type }) => type === 'start')).toHaveLength(1)
        expect(edges.every(({ source, target }) => ids.has(source) && ids.has(target))).toBe(true)
        const places = edges.map(({ source, sourceHandle }) => `${source} ${sourceHandle}`)
        expect(new Set(places).size).toBe(places.length)
      }),
      { numRuns: 50 },
    )
  })

  test('typing in one field is undone together', () => {
    let history = startHistory(empty)
    for (const name of ['a', 'ab', 'abc'])
      history = pushEdit(history, setData(history.present, 'start', { name }, rules), 'start name')
    expect(undo(history).present).toBe(empty)
  })

  test('removing a node closes the path, and a renamed output keeps its edge', () => {
    const send = { ...createNode(catalogue, 'note', { x: 0, y: 0 }, 'UTC'), id: 'a' }
    const branch = { ...createNode(catalogue, 'branch', { x: 0, y: 0 }, 'UTC'), id: 'b' }
    const end = { ...createNode(catalogue, 'end', { x: 0, y: 0 }, 'UTC'), id: 'c' }
    let definition = addAfter(empty, { nodeId: 'start', output: 'next' }, send, rules)
    definition = addAfter(definition, { nodeId: 'a', output: 'next' }, branch, rules)
    definition = addAfter(definition, { nodeId: 'b', output: 'case-1' }, end, rules)
    const renamed = setData(definition, 'b', { cases: [{ id: 'vip', expression: 'true' }] }, rules)
    const outputs = listOutputs(renamed.nodes.find(({ id }) => id === 'b')!, catalogue, 'journey')
    expect(findEdge(renamed, 'b', 'vip', outputs)?.target).toBe('c')
    const removed = removeNodes(renamed, new Set(['a']), rules)
    expect(removed.edges.map(({ source, target }) => `${source} ${target}`)).toEqual(
      expect.arrayContaining(['start b', 'b c']),
    )
    const swapped = moveStep(definition, 'a', 'down', rules)
    expect(swapped.edges.find(({ source }) => source === 'start')?.target).toBe('b')
    expect(buildTree(swapped, rules).steps.map(({ node }) => node.id)).toEqual(['start', 'b'])
  })
})

describe('two editors', () => {
  const base: Definition = {
    nodes: ['a', 'b', 'c'].map((id, i) => ({
      id,
      type: 'note',
      data: { text: id },
      position: { x: i, y: 0 },
    })),
    edges: [{ id: 'ab', source: 'a', target: 'b', sourceHandle: 'next' }],
  }
  const edit = (definition: Definition, id: string, text: string) => setData(definition, id, { text }, rules)

  test('changes of different nodes are kept from both, without a conflict', () => {
    const mine = connect(edit(base, 'a', 'mine'), { nodeId: 'b', output: 'next' }, 'c', rules)
    const theirs = removeNodes(edit(base, 'b', 'theirs'), new Set(['c']), rules)
    const merged = mergeDefinitions(base, edit(base, 'a', 'mine'), theirs)
    expect(merged.conflicts).toEqual([])
    expect(merged.definition.nodes.map(({ id, data }) => `${id} ${data.text}`)).toEqual([
      'a mine',
      'b theirs',
    ])
    // An edge to a node that the other side has deleted is not kept.
    expect(mergeDefinitions(base, mine, theirs).definition.edges.map(({ id }) => id)).toEqual(['ab'])
  })

  test('a node that both changed is a conflict that the choice decides', () => {
    const [mine, theirs] = [edit(base, 'a', 'mine'), edit(base, 'a', 'theirs')]
    const merged = mergeDefinitions(base, mine, theirs)
    expect(merged.conflicts.map(({ nodeId }) => nodeId)).toEqual(['a'])
    const decided = mergeDefinitions(base, mine, theirs, new Map([['a', 'theirs']]))
    expect(decided.definition.nodes[0]!.data.text).toBe('theirs')
  })

  test('two edges from the same output are a conflict of their node', () => {
    const mine = connect(base, { nodeId: 'b', output: 'next' }, 'a', rules)
    const theirs = connect(base, { nodeId: 'b', output: 'next' }, 'c', rules)
    const { conflicts, definition } = mergeDefinitions(base, mine, theirs)
    expect(conflicts.map(({ nodeId }) => nodeId)).toEqual(['b'])
    expect(definition.edges.filter(({ source }) => source === 'b').map(({ target }) => target)).toEqual(['a'])
  })

  test("undoing an own edit does not undo the other editor's", () => {
    const history = pushEdit(startHistory(base), edit(base, 'a', 'mine'))
    const theirs = edit(base, 'b', 'theirs')
    const rebased = rebase(history, own => mergeDefinitions(base, own, theirs).definition)
    expect(undo(rebased).present.nodes.map(({ data }) => data.text)).toEqual(['a', 'theirs', 'c'])
  })

  test('merging random edits loses no node that only one side changed', () => {
    fc.assert(
      fc.property(randomEdits(20), randomEdits(20), randomEdits(20), (first, left, right) => {
        const start = first.reduce(applyRandom, empty)
        const [mine, theirs] = [left.reduce(applyRandom, start), right.reduce(applyRandom, start)]
        const { definition, conflicts } = mergeDefinitions(start, mine, theirs)
        const known = new Set(start.nodes.map(({ id }) => id))
        const merged = new Set(definition.nodes.map(({ id }) => id))
        for (const { id } of [...mine.nodes, ...theirs.nodes])
          if (!known.has(id)) expect(merged).toContain(id)
        const inConflict = new Set(conflicts.map(({ nodeId }) => nodeId))
        for (const node of theirs.nodes) {
          const [was, own] = [start, mine].map(side => side.nodes.find(({ id }) => id === node.id))
          if (was !== undefined && own?.data === was.data && !inConflict.has(node.id))
            expect(definition.nodes.find(({ id }) => id === node.id)?.data).toEqual(node.data)
        }
      }),
      { numRuns: 50 },
    )
  })
})

test('violations are found at their node and field', () => {
  const violations = [
    {
      field: 'definition.nodes[0].data.cases[1].expression',
      code: 'invalid_expression',
      message: 'is invalid',
    },
    { field: 'draft.nodes[0]', code: 'unreachable', message: 'is not reachable' },
    { field: 'definition', code: 'too_large', message: 'is too large' },
  ]
  expect(toProblems({ violations, warnings: [] }, empty)).toMatchObject([
    { nodeId: 'start', field: 'cases[1].expression' },
    { nodeId: 'start', field: '' },
    { nodeId: undefined },
  ])
})
