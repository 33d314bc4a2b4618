/** Opens builders in tests and compares their definitions. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestService } from '../../harness/service.ts'
import { type OpenOptions, openTab } from './browser.ts'
import { type Person, signIn } from './people.ts'

export interface Definition {
  nodes: { id: string; type: string; data: Record<string, unknown>; position?: { x: number; y: number } }[]
  edges: { id: string; source: string; target: string; sourceHandle?: string | null }[]
}

/** Frozen, because the files of a worker share it. */
const start = Object.freeze({
  id: 'start',
  type: 'start',
  data: Object.freeze({ triggerConfig: { type: 'manual' } }),
  position: { x: 0, y: 0 },
})

export const startOnly: Definition = { nodes: [start], edges: [] }

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

/** Names nodes by the shortest path that leads to them. */
function nameByPath({ nodes, edges }: Definition): ReadonlyMap<string, string> {
  const names = new Map(nodes.filter(({ type }) => type === 'start').map(({ id }) => [id, 'start']))
  for (let round = 0; round < nodes.length; round++) {
    const found = edges
      .filter(({ source, target }) => names.has(source) && !names.has(target))
      .map(
        ({ source, target, sourceHandle }) =>
          [target, `${names.get(source)}/${sourceHandle ?? 'next'}`] as const,
      )
      .sort(([, a], [, b]) => b.localeCompare(a))
    for (const [id, name] of found) names.set(id, name)
  }
  return names
}

/** A trigger without conditions may have none or an empty object. */
function withoutEmptyConditions(data: Record<string, unknown>): Record<string, unknown> {
  const { conditions, ...config } = (data.triggerConfig ?? {}) as { conditions?: object }
  const isEmpty = conditions !== undefined && Object.keys(conditions).length === 0
  return isEmpty ? { ...data, triggerConfig: config } : data
}

/** Returns the definition without positions, ids of edges and ids of nodes, which are named by their paths. */
export function normalize(definition: Definition) {
  const names = nameByPath(definition)
  const rename = (id: string) => names.get(id) ?? id
  const { nodes, edges } = definition
  return {
    nodes: nodes
      .map(({ id, type, data }) => ({ id: rename(id), type, data: withoutEmptyConditions(data) }))
      .sort((a, b) => a.id.localeCompare(b.id)),
    edges: edges
      .map(
        ({ source, target, sourceHandle }) => `${rename(source)} ${sourceHandle ?? 'next'} ${rename(target)}`,
      )
      .sort(),
  }
}

const maxTabs = 120

export const isFocused = (target: Locator) =>
  target.evaluate(element => element === document.activeElement).catch(() => false)

/** Presses Tab until the element has the focus. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  const { keyboard } = target.page()
  for (let n = 0; n < maxTabs && !(await isFocused(target)); n++) await keyboard.press(key)
  expect(await isFocused(target), `${target} is reached by ${key}`).toBe(true)
}

/** Types the choice in the dialog that is open. */
export async function pick(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(name)
  await page.getByRole('option', { name, exact: true, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
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

/** Returns a function that returns numbers from 0 to below 1 (mulberry32). */
export function createRandom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns one of the items. */
export const pickOne = <T>(random: () => number, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)]!
