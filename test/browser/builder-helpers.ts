/** Opens builders in tests and compares their definitions. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestService } from '../harness/service.ts'
import { type OpenOptions, openTab } from './browser.ts'
import { type Person, signIn } from './people.ts'

export interface Definition {
  nodes: { id: string; type: string; data: Record<string, unknown>; position?: { x: number; y: number } }[]
  edges: { id: string; source: string; target: string; sourceHandle?: string | null }[]
}

export const startOnly: Definition = {
  nodes: [
    { id: 'start', type: 'start', data: { triggerConfig: { type: 'manual' } }, position: { x: 0, y: 0 } },
  ],
  edges: [],
}

/** A start and notes that follow each other. */
export function chainOf(count: number): Definition {
  const notes = Array.from({ length: count }, (_, i) => ({
    id: `note-${i}`,
    type: 'note',
    data: { text: `Note ${i}` },
    position: { x: 320 * ((i % 20) + 1), y: 160 * Math.floor(i / 20) },
  }))
  const ids = ['start', ...notes.map(({ id }) => id)]
  const edges = notes.map(({ id }, i) => ({
    id: `edge-${i}`,
    source: ids[i]!,
    target: id,
    sourceHandle: 'next',
  }))
  return { nodes: [...startOnly.nodes, ...notes], edges }
}

export async function createJourney({ api }: Person, definition: Definition, name = 'Cart'): Promise<string> {
  const { status, body } = await api.post('/journeys', { name, definition })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

export const readJourney = async ({ api }: Person, id: string) =>
  (await api.get(`/journeys/${id}`)).body as { name: string; revision: number; definition: Definition }

export async function openBuilder(
  service: TestService,
  person: Person,
  at: string,
  options: OpenOptions = {},
): Promise<Page> {
  const { page } = await openTab(options)
  await signIn(page, service, person, at)
  await page.getByRole('region', { name: 'Builder' }).waitFor()
  return page
}

/** Waits until the service has the changes. */
export const waitUntilSaved = (page: Page) =>
  page.getByRole('status').getByText('Saved', { exact: true }).waitFor()

/** Returns the definition without positions, ids of edges and ids of nodes: nodes are named by the path that leads to them. */
export function normalize({ nodes, edges }: Definition) {
  const names = new Map<string, string>(
    nodes.flatMap(({ id, type }) => (type === 'start' ? [[id, 'start'] as const] : [])),
  )
  for (let round = 0; round < nodes.length; round++)
    for (const { source, target, sourceHandle } of edges)
      if (names.has(source) && !names.has(target)) names.set(target, `${names.get(source)}/${sourceHandle}`)
  const rename = (id: string) => names.get(id) ?? id
  return {
    nodes: nodes
      .map(({ id, type, data }) => ({ id: rename(id), type, data }))
      .sort((a, b) => a.id.localeCompare(b.id)),
    edges: edges
      .map(({ source, target, sourceHandle }) => `${rename(source)} ${sourceHandle} ${rename(target)}`)
      .sort(),
  }
}

/** Drags by mouse, in a few steps. */
export async function dragTo(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

export async function centre(locator: Locator) {
  const box = (await locator.boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
