/** Tests that each problem of a draft, of all kinds of nodes, is shown at its node and its field, and leads there. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, screenshot } from '../support/browser.ts'
import { createJourney, type Definition, openBuilder, startOnly } from '../support/builder.ts'
import { openOffice, type Person } from '../support/people.ts'

const text = (body: string) => ({ type: 'text', text: { body } })
const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: ['tag_gone'] }] }

/** A node of each kind, with settings that cannot be published. */
const broken: Record<string, Record<string, unknown>> = {
  sendMessage: { content: text('Hi {{contact.nme}}') },
  ask: { content: text(''), variable: 'not a name' },
  menu: { content: text('Choose'), options: [{ id: 'a', title: '' }] },
  delay: { until: 'tomorrow' },
  timeWindow: { days: ['mon'], from: '09:00', to: '18:00', timezone: 'Nowhere/Land' },
  waitFor: { cases: [{ id: 'paid', event: '' }], timeout: { days: 1 } },
  branch: {
    cases: [
      { id: 'big', expression: '1 +' },
      { id: 'vip', filter },
    ],
  },
  addTag: { tagId: 'tag_gone' },
  removeTag: { tagId: '' },
  setField: { fieldId: 'cf_gone', value: 'x' },
  setVariable: { name: '', value: 'x' },
  assign: { userId: 'usr_gone' },
  handoff: { teamId: 'team_gone' },
  note: { text: '' },
  http: { method: 'GET', url: 'nowhere', headers: { host: 'x' } },
  emitEvent: { name: '' },
  callWorkflow: { journeyId: 'jrn_gone' },
  jump: { to: 'nowhere' },
}

function chain(): Definition {
  const kinds = Object.entries(broken)
  const nodes = kinds.map(([type, data], i) => ({
    id: type,
    type,
    data,
    position: { x: 320 * ((i % 6) + 1), y: 260 * Math.floor(i / 6) },
  }))
  // The output that the path continues by is the first, which has another name for each kind.
  const edges = nodes.map(({ id }, i) => ({
    id: `e${i}`,
    source: i ? nodes[i - 1]!.id : 'start',
    target: id,
  }))
  return { nodes: [...startOnly.nodes, ...nodes], edges }
}

interface Violation {
  field: string
  code: string
  message: string
}

async function readViolations({ api }: Person, id: string): Promise<Violation[]> {
  const { status, body } = await api.post(`/journeys/${id}/validate`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.violations
}

/** Returns the field and the error of the control that has the focus, and whether the settings show the message. */
const readFocused = (page: Page, message: string) =>
  page.evaluate(wanted => {
    const active = document.activeElement as HTMLElement
    const settings = document.querySelector('aside')
    return {
      isInSettings: settings?.contains(active) ?? false,
      fields: [...document.querySelectorAll<HTMLElement>('[data-field]')]
        .filter(item => item.contains(active))
        .map(item => item.dataset.field!),
      isShown: settings?.textContent?.includes(wanted) ?? false,
    }
  }, message)

describe.skipIf(!hasBrowser)('problems of the builder', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('B6: each problem is shown at its node and field, and a click goes there', async () => {
    const { owner } = await openOffice(service)
    const definition = chain()
    const id = await createJourney(owner, definition)
    const violations = await readViolations(owner, id)
    const kinds = new Set(
      violations.map(({ field }) => definition.nodes[Number(/nodes\[(\d+)\]/.exec(field)?.[1])]?.type),
    )
    expect([...kinds].toSorted()).toEqual(expect.arrayContaining(Object.keys(broken).toSorted()))
    const page = await openBuilder(service, owner, `/journeys/${id}`)
    const bar = page.getByRole('region', { name: 'Problems' })
    await bar.getByRole('button', { name: `${violations.length} problems` }).click()
    await screenshot(page, 'builder-problems')
    const list = bar.getByRole('listitem').getByRole('button')
    for (const [i, { field, message }] of violations.entries()) {
      const [, index, path = ''] = /nodes\[(\d+)\]\.?(?:data\.?)?(.*)$/.exec(field) ?? []
      const node = definition.nodes[Number(index)]!
      await list.nth(i).click()
      await page
        .locator(`[data-node="${node.id}"]`)
        .getByRole('img', { name: /problem/ })
        .waitFor()
      await expect
        .poll(() => readFocused(page, message), { message: `${field} ${message}` })
        .toMatchObject({ isInSettings: true, isShown: true })
      const { fields } = await readFocused(page, message)
      // The control is in the field of the problem, or the field is a part of what one control edits.
      const isThere =
        path === '' || fields.some(name => name !== '' && (path.startsWith(name) || name.startsWith(path)))
      expect(isThere, `${field}: ${fields}`).toBe(true)
    }
    // A change that solves a problem removes it while the user types.
    const at = violations.findIndex(({ field }) =>
      field.endsWith(`nodes[${definition.nodes.findIndex(({ id: name }) => name === 'note')}].data.text`),
    )
    await list.nth(at).click()
    await page.keyboard.type('a note')
    await bar.getByRole('button', { name: `${violations.length - 1} problems` }).waitFor()
    expect(
      await page
        .locator('[data-node="note"]')
        .getByRole('img', { name: /problem/ })
        .count(),
    ).toBe(0)
  })
})
