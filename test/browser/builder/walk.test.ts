/** Two browsers edit the same journey at random and end with one definition, which is also that of the service. */
import { errors, type Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser } from '../support/browser.ts'
import {
  chainOf,
  createJourney,
  createRandom,
  type Definition,
  openBuilder,
  pickOne as pick,
  readJourney,
} from '../support/builder.ts'
import { openOffice } from '../support/people.ts'

const isFull = process.env.FULL === '1'
/** Of both browsers together. */
const edits = isFull ? 1_000 : 40
const timeout = isFull ? 1_800_000 : 300_000
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
/** Kinds of edits, each as often as it is listed. */
const kinds = [
  ...Array<'move'>(6).fill('move'),
  ...Array<'write'>(6).fill('write'),
  ...Array<'duplicate'>(3).fill('duplicate'),
  ...Array<'delete'>(3).fill('delete'),
  ...Array<'undo'>(3).fill('undo'),
  'redo' as const,
  'redo' as const,
]

class Walker {
  /** The definition on the screen: each change of it, also one that came from the other browser, is validated. */
  shown: Definition | undefined
  conflicts = 0
  readonly page: Page
  readonly #name: string
  readonly #random: () => number

  constructor(page: Page, name: string, random: () => number) {
    this.page = page
    this.#name = name
    this.#random = random
    page.on('request', request => {
      if (request.url().endsWith('/validate')) this.shown = request.postDataJSON().definition
    })
  }

  async walk(count: number): Promise<void> {
    for (let i = 0; i < count; ) {
      const burst = Math.min(count - i, 1 + Math.floor(this.#random() * 16))
      for (let n = 0; n < burst; n++) await this.#edit(`${this.#name} ${i + n}`)
      i += burst
      // A pause, after which the changes are saved.
      await expect.poll(() => this.settle()).toBe(true)
    }
  }

  async #edit(text: string): Promise<void> {
    const { keyboard } = this.page
    await this.#decide()
    // Found by selectors: a dialog, which may open at any time, hides the page from roles.
    await this.page.locator('[role="application"]').focus()
    for (let n = Math.floor(this.#random() * 4); n > 0; n--) await keyboard.press(pick(this.#random, arrows))
    switch (pick(this.#random, kinds)) {
      case 'move':
        return keyboard.press(`Alt+${pick(this.#random, arrows)}`)
      case 'duplicate':
        return keyboard.press('ControlOrMeta+d')
      case 'delete':
        return keyboard.press('Delete')
      case 'undo':
        return keyboard.press('ControlOrMeta+z')
      case 'redo':
        return keyboard.press('ControlOrMeta+Shift+z')
      case 'write':
        return this.#write(text)
    }
  }

  /** Writes the text of the selected note; without one, adds a note after the selected node. */
  async #write(text: string): Promise<void> {
    // At once: the other browser may delete the note between two requests to the page.
    const isWritten = await this.page.evaluate(value => {
      const field = document.querySelector('aside textarea')
      if (!field) return false
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, value)
      return field.dispatchEvent(new Event('input', { bubbles: true }))
    }, text)
    if (!isWritten) await this.page.locator('nav button', { hasText: 'Add a note' }).dispatchEvent('click')
  }

  /** Decides a conflict at random; returns whether there was one. */
  async #decide(): Promise<boolean> {
    const dialog = this.page.getByRole('dialog', { name: 'Someone else changed the same nodes' })
    if (!(await dialog.isVisible())) return false
    this.conflicts++
    const side = this.#random() < 0.5 ? /^Mine:/ : /^Theirs:/
    // A newer version may replace the dialog or end the conflict meanwhile; what is left is decided next time.
    const options = { timeout: 5_000 }
    try {
      for (const choice of await dialog.getByLabel(side).all()) await choice.check(options)
      await dialog.getByRole('button', { name: 'Continue with this choice' }).click(options)
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error
    }
    return true
  }

  /** Returns whether nothing is left to decide or to save. */
  async settle(): Promise<boolean> {
    if (await this.#decide()) return false
    return this.page.getByRole('status').getByText('Saved', { exact: true }).isVisible()
  }
}

describe.skipIf(!hasBrowser)('builder, two editors', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test(`after ${edits} random edits both browsers and the service have the same definition`, {
    timeout,
  }, async () => {
    console.log(`SEED=${seed}`)
    const office = await openOffice(service)
    const { owner } = office
    const colleague = await office.hire('Ben Okafor', 'admin')
    const id = await createJourney(owner, chainOf(6))
    const expected = /412/
    const walkers = [
      new Walker(
        await openBuilder(service, owner, `/journeys/${id}`, { expected }),
        'Ana',
        createRandom(seed),
      ),
      new Walker(
        await openBuilder(service, colleague, `/journeys/${id}`, { expected }),
        'Ben',
        createRandom(seed + 1),
      ),
    ]
    for (const { page } of walkers) await page.locator('[data-node="note-0"]').click()
    await Promise.all(walkers.map(walker => walker.walk(edits / 2)))
    const readAll = async () => {
      const { definition } = await readJourney(owner, id)
      return [definition, ...walkers.map(({ shown }) => shown)].map(
        found => found && { nodes: found.nodes, edges: found.edges },
      )
    }
    const isSettled = async () => {
      const settled = await Promise.all(walkers.map(walker => walker.settle()))
      const [stored, ...shown] = (await readAll()).map(found => JSON.stringify(sortMembers(found)))
      return settled.every(Boolean) && shown.every(found => found === stored)
    }
    await expect
      .poll(isSettled)
      .toBe(true)
      .catch(() => {})
    const [stored, ...shown] = await readAll()
    for (const found of shown) expect(found).toEqual(stored)
    const { revision } = await readJourney(owner, id)
    const conflicts = walkers.reduce((sum, walker) => sum + walker.conflicts, 0)
    console.log(`${stored!.nodes.length} nodes, ${revision - 1} saves, ${conflicts} conflicts`)
    expect(stored!.nodes).not.toEqual(chainOf(6).nodes)
    expect(await isSettled()).toBe(true)
  })
})

/** Members of objects in one order: the service may return them in another. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [name, sortMembers(member)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
