/** Tests the search page: words, filter, highlights, pages, and the jump to the message. */
import { describe, expect, test } from 'vitest'
import { fillOffice, rareWord, toWord } from '../../../bench/help-desk/fill.ts'
import { testService } from '../../harness/service.ts'
import { eventually, within } from '../../harness/wait.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

const isFull = process.env.FULL === '1'
const manyMessages = isFull ? 1_000_000 : 20_000
const searchMs = 500

describe.skipIf(!hasBrowser)('search page', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function open(person: Person, at: string, options: OpenOptions = {}) {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    await page.getByRole('heading', { level: 1, name: 'Search messages' }).waitFor()
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
    return { page, results, words: page.getByRole('searchbox', { name: 'Words' }) }
  }
  const countFound = async ({ owner }: Office, q: string, type = 'message') =>
    (await owner.api.get(`/messages/search?q=${q}&type=${type}&limit=200`)).body.items.length as number
  const getConversation = async ({ owner }: Office) =>
    (await eventually(async () => {
      const { conversations } = (await owner.api.get('/conversations')).body
      expect(conversations).toHaveLength(1)
      return conversations[0]
    })) as { id: string }
  const say = (body: string) => ({ content: { type: 'text', text: { body } } })

  test('finds words, filters, and opens the thread at the message with the focus on it', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550192', 'Where is my parcel ORD-4711?', 'Ada Customer')
    const { id } = await getConversation(office)
    for (let n = 0; n < 70; n++) await api.post(`/conversations/${id}/messages`, say(`filler ${n}`))
    await api.post(`/conversations/${id}/messages`, say('Your parcel has shipped'))
    await api.post(`/conversations/${id}/notes`, { text: 'parcel was late before' })
    await eventually(async () => expect(await countFound(office, 'parcel')).toBe(2))
    await eventually(async () => expect(await countFound(office, 'parcel', 'note')).toBe(1))
    const { page, results, words } = await open(office.owner, '/search')
    await page.getByText('Find what was written in any conversation that you can see.').waitFor()
    await expectAccessible(page, 'search without a text')
    await page.keyboard.type('parc')
    await expect.poll(() => results.count()).toBe(2)
    await page.getByRole('status').getByText('2 results').waitFor()
    expect(await results.first().locator('mark').allInnerTexts()).toEqual(['parcel'])
    expect(page.url()).toContain('q=parc')
    await expectAccessibleThemes(page, 'results')
    await screenshots(page, 'search')
    await page.getByLabel('Written by').selectOption('Customer')
    await expect.poll(() => results.allInnerTexts()).toEqual([expect.stringContaining('ORD-4711')])
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText(/^Nothing found/).waitFor()
    await expectAccessible(page, 'nothing found')
    await page.reload()
    await page.getByText(/^Nothing found/).waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => results.count()).toBe(2)
    await page.getByLabel('Search in').selectOption('Notes')
    await expect.poll(() => results.allInnerTexts()).toEqual([expect.stringContaining('late before')])
    await page.getByLabel('Search in').selectOption('Messages')
    await words.fill('ord-47')
    await expect.poll(() => results.count()).toBe(1)

    // Leaving the field keeps the words.
    await page.keyboard.press('Escape')
    expect(await words.inputValue()).toBe('ord-47')
    // The first message is far above the newest ones.
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log')
    await log.getByText('Where is my parcel ORD-4711?').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('Where is my parcel ORD-4711?')
    const isVisible = () => log.getByText('Where is my parcel ORD-4711?').isVisible()
    expect(await isVisible()).toBe(true)
    await page.goBack()
    await expect.poll(() => results.count()).toBe(1)
    expect(await words.inputValue()).toBe('ord-47')
  })

  test('pages of results, from the search of the inbox; a text without words and a failure say so', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550193', 'hello', 'Bo Customer')
    const { id } = await getConversation(office)
    for (let n = 0; n < 35; n++) await api.post(`/conversations/${id}/messages`, say(`lantern ${n}`))
    await eventually(async () => expect(await countFound(office, 'lantern')).toBe(35))
    const { page, results, words } = await open(office.owner, '/search', { expected: /ERR_FAILED/ })
    await page.goto(`${service.url}/inbox`)
    await page.getByRole('link', { name: /Bo Customer/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('lantern')
    await page.getByRole('link', { name: 'Search messages for “lantern”' }).click()
    await page.getByRole('status').getByText('30 results, and more').waitFor()
    await page.getByRole('button', { name: 'Show older ones' }).click()
    await expect.poll(() => results.count()).toBe(35)
    await page.getByRole('status').getByText('35 results', { exact: true }).waitFor()
    await words.fill('!?')
    await page.getByText('Type a letter or a digit.').waitFor()
    await expectAccessible(page, 'no words')
    await page.route(/\/v1\/messages\/search/, route => route.abort())
    await words.fill('lantern 3')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expectAccessible(page, 'failed search')
    await page.unroute(/\/v1\/messages\/search/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => results.count()).toBe(6)
  })

  test(`a result from ${manyMessages.toLocaleString('en')} messages is shown within ${searchMs} ms`, async () => {
    const office = await openOffice(service)
    const { tenantId, owner } = office
    // Opened before: the people and inboxes of the fill are rows that only searches can read.
    const { results, words } = await open(owner, '/search')
    const size = { conversations: manyMessages / 10, messages: manyMessages }
    await fillOffice(service.deps, service.connection, { tenantId, ownerId: owner.id, ...size })
    const times: string[] = []
    /** Returns the milliseconds from the last key to the first result, measured in the page. */
    const search = (text: string) =>
      words.evaluate(async (element, value) => {
        const field = element as HTMLInputElement
        const find = () => document.querySelector('main mark')
        const before = find()
        const startedAt = performance.now()
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, value)
        field.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise(requestAnimationFrame)
        field.form!.requestSubmit()
        while (!find() || find() === before) await new Promise(requestAnimationFrame)
        return performance.now() - startedAt
      }, text)
    // Common, medium and rare words, the beginning of one, and several words.
    const texts = [toWord(0), toWord(2_000), rareWord, 'zebraf', `${toWord(0)} ${toWord(1)}`]
    for (const text of texts) {
      const rounds = [await search(text), await search('zebra'), await search(text)]
      times.push(`${text} ${rounds.map(Math.round)}`)
      expect(Math.min(rounds[0]!, rounds[2]!), `ms of ${times}`).toBeLessThanOrEqual(within(searchMs))
    }
    if (isFull) console.log(times)
    await words.fill(rareWord)
    await expect.poll(() => results.count()).toBe(20)
  }, 900_000)

  test('on a phone in the dark nothing scrolls sideways; an agent finds nothing of hidden conversations', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550194', `lighthouse ${'x'.repeat(80)}`, 'Cy Customer')
    const { id } = await getConversation(office)
    await eventually(async () => expect(await countFound(office, 'lighthouse')).toBe(1))
    const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
    const { page, results } = await open(office.owner, '/search?q=lighthouse', phone)
    await expect.poll(() => results.count()).toBe(1)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'search on a phone')
    await screenshot(page, 'search-phone-dark')
    const team = (await api.post('/teams', { name: 'Hidden' })).body
    await api.put(`/conversations/${id}/owner`, { type: 'team', id: team.id })
    const agent = await office.hire('Kim Lee')
    const small = await open(agent, '/search?q=lighthouse')
    // Without a filter there is none to clear.
    await small.page.getByText('Nothing found. Try fewer or other words.').waitFor()
  })
})
