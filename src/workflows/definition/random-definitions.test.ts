/** Random definitions: valid ones can be published, mutated ones are rejected with the expected violation. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { almostValid, valid } from '../../../test/contract/arbitrary.ts'
import { testApi } from '../../../test/harness/api.ts'
import { nodeTypes } from '../nodes/registry.ts'
import { mutations, reachesWithoutWait, validDefinition } from '../testing/random-definitions.ts'
import { definitionViolations } from './validation.ts'

const api = await testApi()
const runs = process.env.FULL === '1' ? 5_000 : 80
vi.setConfig({ testTimeout: process.env.FULL === '1' ? 600_000 : 60_000 })

test('a valid definition has no violations', () => {
  fc.assert(
    fc.property(validDefinition(), drawn => {
      expect(definitionViolations('journey', drawn)).toEqual([])
    }),
    { numRuns: runs * 2 },
  )
})

describe.each(Object.entries(mutations))('%s', (code, break_) => {
  test('is reported with its path', () => {
    fc.assert(
      fc.property(validDefinition(), fc.nat(), (drawn, pick) => {
        const broken = break_(drawn, pick)
        fc.pre(broken !== undefined)
        const faults = definitionViolations('journey', broken)
        expect(faults.map(fault => fault.code)).toContain(code)
        for (const { field } of faults) expect(field).toMatch(/^definition\.(nodes|edges)/)
      }),
      { numRuns: runs },
    )
  })
})

test('loop_without_wait exactly where a node can reach itself without a wait', () => {
  const nodes = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }).map(flags => [
    { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } },
    ...flags.map((waits, i) => ({
      id: `n${i}`,
      type: waits ? 'delay' : 'split',
      data: waits ? { for: { days: 1 } } : { weights: [1, 1, 1] },
    })),
  ])
  const definition = nodes.chain(all =>
    fc
      .array(fc.tuple(fc.nat(all.length - 1), fc.nat(2), fc.nat(all.length - 1)), { maxLength: 16 })
      .map(pairs => ({
        nodes: all as { id: string; type: string; data: Record<string, unknown> }[],
        edges: pairs.map(([source, output, target], i) => ({
          id: `e${i}`,
          source: all[source]!.id,
          target: all[target]!.id,
          ...(all[source]!.type === 'split' ? { sourceHandle: String(output) } : {}),
        })),
      })),
  )
  fc.assert(
    fc.property(definition, drawn => {
      const loops = drawn.edges.some(edge => reachesWithoutWait(drawn, edge.target, edge.source))
      const codes = definitionViolations('journey', drawn).map(fault => fault.code)
      expect(codes.includes('loop_without_wait')).toBe(loops)
    }),
    { numRuns: runs * 4 },
  )
})

test('200 and a version for a valid definition, 400 and none for a mutated one', async () => {
  const { owner } = await api.workspace()
  // A patch without a start node keeps the trigger, so that the start node is created again.
  const kinds = Object.keys(mutations).filter(kind => kind !== 'start_missing')
  await fc.assert(
    fc.asyncProperty(validDefinition(), fc.constantFrom(...kinds), fc.nat(), async (drawn, kind, pick) => {
      const { id } = (await owner.post('/journeys', { name: 'J', definition: drawn })).body
      const sound = await owner.post(`/journeys/${id}/publish`)
      expect(sound).toMatchObject({ status: 200, body: { definition: drawn } })
      const definition = mutations[kind]!(drawn, pick)
      fc.pre(definition !== undefined)
      expect((await owner.patch(`/journeys/${id}`, { definition })).status).toBe(200)
      const broken = await owner.post(`/journeys/${id}/publish`)
      expect(broken).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
      expect((await owner.get(`/journeys/${id}`)).body.publishedVersionId).toBe(sound.body.id)
    }),
    { numRuns: 15 },
  )
})

/** Nodes of every type with valid, almost valid, and arbitrary data. */
const odd = fc.constantFrom(...nodeTypes).chain(kind =>
  fc.record({
    id: fc.constantFrom('s', 'a', 'b', 'c'),
    type: fc.constantFrom(kind.type, kind.type, 'teleport'),
    data: fc
      .oneof(valid(kind.data as never), almostValid(kind.data as never))
      .filter(data => typeof data === 'object' && data !== null && !Array.isArray(data)),
  }),
)
const end = fc.constantFrom('s', 'a', 'b', 'c', 'nowhere')
const oddDrawing = fc.record({
  nodes: fc.array(odd, { maxLength: 5 }),
  edges: fc.array(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 5 }),
      source: end,
      target: end,
      sourceHandle: fc.constantFrom(null, '', 'next', '0', 'timeout', '__proto__'),
    }),
    { maxLength: 6 },
  ),
})

test('200 or 400 for any definition, never 5xx', async () => {
  const { owner } = await api.workspace()
  await fc.assert(
    fc.asyncProperty(oddDrawing, async definition => {
      const made = await owner.post('/journeys', { name: 'J', definition })
      expect(made.status, JSON.stringify(made.body)).toBeLessThan(500)
      if (made.status !== 201) return
      const published = await owner.post(`/journeys/${made.body.id}/publish`)
      expect(published.status, JSON.stringify([definition, published.body])).toBeLessThan(500)
    }),
    { numRuns: process.env.FULL === '1' ? 2_000 : 60 },
  )
})
