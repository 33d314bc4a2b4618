/** Tests segments: the list, the builder with its sentence, count and samples, conflicts and deletion. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { chainOf, createJourney } from '../support/builder.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

/** Lists the buttons that remove a condition and have nothing beside them on their line. */
const listLonely = (page: Page) =>
  page.getByRole('button', { name: /^(Remove condition|Bedingung) \d/ }).evaluateAll(buttons =>
    buttons
      .filter(button => {
        const { top, bottom } = button.getBoundingClientRect()
        const others = [...button.parentElement!.children].filter(element => element !== button)
        return !others.some(other => {
          const box = other.getBoundingClientRect()
          return box.top < bottom - 4 && box.bottom > top + 4
        })
      })
      .map(button => button.getAttribute('aria-label')),
  )

/** Returns texts that are wider than their control or outside of the page; names of campaigns are in the title. */
const listCut = (page: Page) =>
  page.getByRole('main').evaluate(main => {
    const getNeeded = (control: HTMLSelectElement) => {
      const copy = control.cloneNode(true) as HTMLSelectElement
      Object.assign(copy.style, { position: 'fixed', width: 'max-content', visibility: 'hidden' })
      const { font, padding } = getComputedStyle(control)
      Object.assign(copy.style, { font, padding })
      for (const option of [...copy.options]) if (option.value !== control.value) option.remove()
      document.body.append(copy)
      const { width } = copy.getBoundingClientRect()
      copy.remove()
      return width
    }
    const cut = [...main.querySelectorAll<HTMLSelectElement>('select')]
      .filter(select => !select.title && getNeeded(select) > select.getBoundingClientRect().width + 1)
      .map(select => select.selectedOptions[0]!.text)
    const context = document.createElement('canvas').getContext('2d')!
    const isHintCut = (input: HTMLInputElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      context.font = font
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return input.value === '' && context.measureText(input.placeholder).width > room
    }
    cut.push(...[...main.querySelectorAll('input')].filter(isHintCut).map(({ placeholder }) => placeholder))
    const outside = [...main.querySelectorAll('*')]
      .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
      .map(element => element.textContent || element.outerHTML)
    return [...cut, ...outside]
  })

describe.skipIf(!hasBrowser)('segments', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function addContacts({ owner: { api } }: Office) {
    await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })
    await api.post('/contacts/custom-fields', { name: 'Birthday', type: 'date' })
    const vip = (await api.post('/tags', { name: 'vip' })).body.id as string
    const gold = (await api.post('/tags', { name: 'gold' })).body.id as string
    const ids: string[] = []
    for (let n = 0; n < 12; n++) {
      const customFields = { City: n % 2 ? 'Lisbon' : 'Porto' }
      const { body } = await api.post('/contacts', { name: `Person ${n}`, customFields })
      ids.push(body.id)
    }
    for (const id of ids.slice(0, 4)) await api.post(`/contacts/${id}/tags/${vip}`)
    for (const id of ids.slice(4, 6)) await api.post(`/contacts/${id}/tags/${gold}`)
    return { ids, vip, gold }
  }
  async function open(person: Person, at: string, options: OpenOptions = {}) {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  test('a segment is built by keyboard, and its sentence, count and samples are those of the service', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { ids, vip } = await addContacts(office)
    const page = await open(office.owner, '/segments')
    await page.getByText(/^No segments yet/).waitFor()
    await expectAccessible(page, 'no segments')
    await page.keyboard.press('c')
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    const count = page.getByRole('region', { name: 'Matching contacts' }).getByRole('heading')
    await expect.poll(() => count.innerText()).toBe('12 contacts')
    const samples = page.getByRole('list', { name: 'Ten of them' }).getByRole('link')
    expect(await samples.count()).toBe(10)
    await name.focus()
    await page.keyboard.type('Important in Lisbon')
    const add = page.getByRole('button', { name: 'Add a condition' }).last()
    await add.focus()
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toBe('Field')
    await page.keyboard.type('City')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe('Value')
    await expect.poll(() => count.innerText()).toBe('Complete the conditions to count.')
    let counted = 0
    page.on('request', request => {
      if (request.url().endsWith('/contacts/search/count')) counted++
    })
    await page.keyboard.type('Lisbon')
    await expect.poll(() => count.innerText()).toBe('6 contacts')
    expect(counted, 'not counted after each letter').toBeLessThan('Lisbon'.length)
    await page.getByRole('button', { name: 'Add a group' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Field')
    await page.keyboard.type('Tags')
    const group = page.getByRole('group', { name: 'Group 2' })
    for (const tag of ['vip', 'gold']) {
      await group.getByRole('button', { name: /^Choose tags/ }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type(tag)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page
      .getByText('Contacts that have a “City” that is “Lisbon” and have the tag “vip” or “gold”.')
      .waitFor()
    await expect.poll(() => count.innerText()).toBe('3 contacts')
    await expectAccessible(page, 'builder')
    await screenshot(page, 'segment-new')
    await page.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Segment created').waitFor()
    const [segment] = (await api.get('/segments')).body.items
    expect(segment).toMatchObject({
      name: 'Important in Lisbon',
      filter: { match: 'all', conditions: [{ type: 'customFieldText', value: 'Lisbon' }, { match: 'any' }] },
    })
    expect((await api.get(`/segments/${segment.id}/count`)).body.totalSize).toBe(3)
    await expect.poll(() => page.url()).toContain(segment.id)
    await page.reload()
    await expect.poll(() => count.innerText()).toBe('3 contacts')
    await expect.poll(() => samples.allInnerTexts()).toEqual(['Person 5', 'Person 3', 'Person 1'])
    await api.post(`/contacts/${ids[7]}/tags/${vip}`)
    await expect.poll(() => count.innerText()).toBe('4 contacts')
    const check = page.getByRole('region', { name: 'Check a contact' })
    await check.getByLabel('Name, number or e-mail').fill('Person 0')
    await check.getByRole('button', { name: 'Person 0' }).click()
    await check.getByText('Person 0 is not in this segment.').waitFor()
    const marks = await check
      .getByRole('list', { name: 'Check a contact' })
      .getByRole('listitem')
      .allInnerTexts()
    const { body: explained } = await api.get(`/segments/${segment.id}/contacts/${ids[0]}/explain`)
    expect(marks.map(mark => mark.startsWith('Met:'))).toEqual(
      explained.conditions.map(({ holds }: { holds: boolean }) => holds),
    )
    expect(marks[0]).toBe('Not met: have a “City” that is “Lisbon”')
    const usedBy = page.getByRole('region', { name: 'Used by' })
    await usedBy.getByText('No campaign or journey uses this segment.').waitFor()
    const { body: campaign } = await api.post('/campaigns', { name: 'Spring' })
    await api.patch(`/campaigns/${campaign.id}`, { segmentId: segment.id })
    const definition = chainOf(1)
    const data = { triggerConfig: { type: 'segment_entered', segmentId: segment.id } }
    definition.nodes[0] = { ...definition.nodes[0]!, data }
    const journeyId = await createJourney(office.owner, definition, 'Welcome')
    await page.reload()
    const uses = usedBy.getByRole('link')
    await expect.poll(() => uses.allInnerTexts()).toEqual(['Spring', 'Welcome'])
    expect(await uses.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
      `/campaigns/${campaign.id}`,
      `/journeys/${journeyId}`,
    ])
    await expectAccessible(page, 'segment')
    await screenshot(page, 'segment')
    await page.getByRole('link', { name: 'Show in contacts' }).click()
    await page.getByRole('status').getByText('4 contacts').waitFor()
    await page.goBack()
    await page.getByRole('main').getByRole('link', { name: 'Segments', exact: true }).click()
    const row = page.getByRole('list', { name: 'Segments' }).getByRole('listitem')
    await row.getByText('4 contacts').waitFor()
    await screenshot(page, 'segments')
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { level: 1, name: /^Contacts/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await row.getByText('4 contacts').waitFor()
    await expectAccessible(page, 'segments')
  })

  test('rows have the operators of their type, and nothing in them is cut, in English and German', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await addContacts(office)
    const fields = (await api.get('/contacts/custom-fields')).body.customFields
    const fieldId = fields.find((field: { name: string }) => field.name === 'Birthday').id
    const name = 'Winterschlussverkaufsbenachrichtigung '.repeat(3).slice(0, 100).trim()
    const campaignId = (await api.post('/campaigns', { name })).body.id
    const conditions = [
      { type: 'lastInteraction', notWithinDays: 30 },
      { type: 'searchText', text: 'Person' },
      { type: 'performedEvent', name: 'order', operator: 'gte', value: 1 },
      { match: 'any', conditions: [{ type: 'customFieldDate', fieldId, operator: 'anniversaryToday' }] },
      { match: 'any', conditions: [{ type: 'gotCampaign', campaignId }] },
    ]
    const created = await api.post('/segments', { name, filter: { match: 'all', conditions } })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const narrow = { viewport: { width: 360, height: 740 } }
    const page = await open(office.owner, `/segments/${created.body.id}`, narrow)
    const row = (group: string) => page.getByRole('group', { name: group, exact: true })
    const options = (group: string) =>
      row(group)
        .getByRole('combobox', { name: 'Operator' })
        .evaluate((select: HTMLSelectElement) => [...select.options].map(({ text }) => text))
    await row('Condition 1').first().waitFor()
    expect(await options('Group 4')).toEqual(expect.arrayContaining(['is on', 'within the next days']))
    expect(await options('Group 4')).not.toContain('contains')
    const campaign = row('Group 5').getByRole('combobox', { name: 'Value' })
    await expect.poll(() => campaign.getAttribute('title')).toBe(name)
    for (const language of ['en', 'de']) {
      await page.evaluate(chosen => localStorage.setItem('parley.language', chosen), language)
      await page.reload()
      await page
        .getByRole('combobox', { name: /^(Operator|Vergleich)$/ })
        .first()
        .waitFor()
      for (const width of [1360, 1024, 768, 360]) {
        await page.setViewportSize({ width, height: 740 })
        expect(await listCut(page), `${language}, ${width} px`).toEqual([])
        expect(await listLonely(page), `${language}, ${width} px`).toEqual([])
        await expectNoSidewaysScroll(page)
      }
      await screenshots(page, `segment-rows-${language}`)
    }
  })

  test('late counts are dropped; a deleted tag leaves no contacts, with the reason', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { vip } = await addContacts(office)
    const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [vip] }] }
    const { body: segment } = await api.post('/segments', { name: 'VIPs', filter })
    const page = await open(office.owner, `/segments/${segment.id}`)
    const count = page.getByRole('region', { name: 'Matching contacts' }).getByRole('heading')
    await expect.poll(() => count.innerText()).toBe('4 contacts')
    let isFirst = true
    let releaseFirst = () => {}
    const held = new Promise<void>(resolve => {
      releaseFirst = resolve
    })
    const answered: string[] = []
    await page.route(/\/v1\/contacts\/search\/count$/, async route => {
      const isHeld = isFirst
      isFirst = false
      const response = await route.fetch()
      if (isHeld) await held
      answered.push(await response.text())
      await route.fulfill({ response })
    })
    const requested = page.waitForRequest(/search\/count$/)
    await page.getByRole('combobox', { name: 'Operator' }).selectOption('has none of')
    await requested
    await page.getByRole('button', { name: 'Remove condition 1' }).click()
    await expect.poll(() => count.innerText()).toBe('12 contacts')
    releaseFirst()
    await expect.poll(() => answered.length).toBe(2)
    expect(await count.innerText()).toBe('12 contacts')
    await page.unroute(/\/v1\/contacts\/search\/count$/)
    await page.reload()
    await expect.poll(() => count.innerText()).toBe('4 contacts')
    await api.delete(`/tags/${vip}`)
    await expect.poll(() => count.innerText()).toBe('No contacts')
    await page
      .getByText('No contacts: no tag is chosen. Deleting a tag removes it from conditions.')
      .waitFor()
    await expectAccessible(page, 'segment of a deleted tag')
  })

  test('the second editor sees both versions and keeps one or both; a segment in use is not deleted', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { vip, gold } = await addContacts(office)
    const withTag = (id: string) => ({ match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [id] }] })
    const { body: segment } = await api.post('/segments', { name: 'VIPs', filter: withTag(vip) })
    const page = await open(office.owner, `/segments/${segment.id}`, { expected: /4(09|12)/ })
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('My VIPs')
    const change = (values: object, revision: number, by = api) =>
      by.patch(`/segments/${segment.id}`, values, { 'if-match': `"${revision}"` })
    expect((await change({ filter: withTag(gold), name: 'Their VIPs' }, 1)).status).toBe(200)
    await page.getByText('A colleague has changed this segment.').waitFor()
    expect(await name.inputValue()).toBe('My VIPs')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'A colleague changed this segment' })
    await dialog.getByText(/^Ana Lima saved it \d+ seconds? ago, after you had opened it\./).waitFor()
    await dialog
      .getByRole('region', { name: 'Theirs' })
      .getByText('Contacts that have the tag “gold”.')
      .waitFor()
    await dialog.getByRole('region', { name: 'Mine' }).getByText('My VIPs').waitFor()
    await expectAccessible(page, 'conflict')
    await screenshot(page, 'segment-conflict')
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Segment saved').waitFor()
    expect((await api.get(`/segments/${segment.id}`)).body).toMatchObject({
      name: 'My VIPs',
      filter: withTag(vip),
      revision: 3,
    })
    // A third choice keeps the changes of both. The service account is newer than the page.
    await name.fill('Our VIPs')
    const robot = await office.addRobot('Shop sync')
    expect((await change({ filter: withTag(gold) }, 3, robot)).status).toBe(200)
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^Shop sync saved it \d+ seconds? ago/).waitFor()
    const both = dialog.getByRole('region', { name: 'Both' })
    await both.getByText('Our VIPs').waitFor()
    await both.getByText('Contacts that have the tag “gold”.').waitFor()
    await both.getByRole('button', { name: 'Save both' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Our VIPs' }).waitFor()
    expect((await api.get(`/segments/${segment.id}`)).body).toMatchObject({
      name: 'Our VIPs',
      filter: withTag(gold),
      revision: 5,
    })
    expect((await change({ name: 'Quietly changed' }, 5)).status).toBe(200)
    await page.getByRole('heading', { level: 1, name: 'Quietly changed' }).waitFor()
    await page.route(/\/v1\/segments\//, route =>
      route.request().method() === 'DELETE'
        ? route.fulfill({
            status: 409,
            json: { code: 'segment_in_use', title: 'x', campaigns: [{ id: 'cmp_1', name: 'Spring' }] },
          })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the segment “Quietly changed”?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByText('Scheduled campaigns use this segment: “Spring”.').waitFor()
    await page.unroute(/\/v1\/segments\//)
    // The event of the deletion arrives before its response: the segment is not read again.
    await page.route(/\/v1\/segments\//, async route => {
      const response = await route.fetch()
      await new Promise(resolve => setTimeout(resolve, 500))
      await route.fulfill({ response })
    })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^No segments yet/).waitFor()
    expect((await api.get('/segments')).body.items).toEqual([])
  })

  test('an agent on a phone in the dark reads segments and has no controls to change them', async () => {
    const office = await openOffice(service)
    const { vip } = await addContacts(office)
    const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [vip] }] }
    const { body: segment } = await office.owner.api.post('/segments', { name: 'VIPs', filter })
    const agent = await office.hire('Kim Lee')
    const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
    const page = await open(agent, '/segments', { ...phone, expected: /404/ })
    await page.getByRole('link', { name: 'VIPs' }).waitFor()
    await expectNoSidewaysScroll(page)
    expect(await page.getByRole('link', { name: 'New segment' }).count()).toBe(0)
    await page.getByRole('link', { name: 'VIPs' }).click()
    await page.getByText('Contacts that have the tag “vip”.').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'segment on a phone')
    await screenshot(page, 'segment-phone-dark')
    expect(await page.getByRole('button', { name: /^(Save|Delete)$/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Add a condition' }).count()).toBe(0)
    const denied = await agent.api.patch(`/segments/${segment.id}`, { name: 'x' }, { 'if-match': '"1"' })
    expect(denied.status).toBe(403)
    await page.goto(`${service.url}/segments/seg_missing`)
    await page.getByText('Not found, or you do not have access.').waitFor()
    await expectAccessible(page, 'no such segment')
  })
})
