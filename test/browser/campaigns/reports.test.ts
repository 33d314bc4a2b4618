/** Tests the reports: figures of the API by range and grouping, plots with tables, CSV, and the own figures of agents. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/platform/db/sql.ts'
import { testService, until } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

const dayMs = 86_400_000

describe.skipIf(!hasBrowser)('reports', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function open(person: Person, at: string, options: OpenOptions = {}): Promise<Page> {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    return page
  }

  /** Adds figures of earlier days: more each day. */
  async function insertHistory({ tenantId, inboxId, owner }: Office, days: number): Promise<void> {
    await service.deps.db.run(sql`
      insert into conversation_counts (tenant_id, hour, type, inbox_id, team_id, user_id, bucket, count, seconds)
      select ${tenantId}, date_trunc('hour', now()) - n * interval '1 day', type, ${inboxId}, '',
        case type when 'opened' then '' else ${owner.id} end, 7, n + 1, (n + 1) * 100 * (n + 1)
      from generate_series(1, ${days}::int) n, unnest(array['opened', 'closed', 'first_reply']) as type`)
  }

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  /** Reads all rows in one step, as the page may be drawn again between two. */
  const readTable = (page: Page, name: string) =>
    region(page, name)
      .locator('tbody tr')
      .evaluateAll(rows =>
        rows.map(row => [...row.querySelectorAll('th, td')].map(cell => (cell as HTMLElement).innerText)),
      )
  /** Opens the table of a plot, which is rendered after it was opened. */
  async function showTable(page: Page, name: string) {
    await region(page, name).getByText('Show as table').press('Enter')
    await region(page, name).locator('tbody tr').first().waitFor()
  }
  /** When the figures are here, the plots of the previous grouping are removed. */
  async function groupBy(page: Page, label: string, value: string) {
    const loaded = page.waitForResponse(response => response.url().endsWith(`&groupBy=${value}`))
    await page.getByLabel('Group by').selectOption(label)
    await loaded
  }
  const readFacts = (items: Locator) =>
    items.evaluateAll(all => all.map(item => item.querySelector('dd')!.innerText))
  const readTotals = (page: Page) => readFacts(page.getByLabel('Totals').locator('> div'))

  /** Downloads a file; returns its lines. */
  async function readFile(page: Page, button: string): Promise<string[]> {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: button, exact: true }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString().trimEnd().split('\r\n')
  }

  const readWaiting = (page: Page) => readFacts(region(page, 'Waiting now').locator('dl > div'))

  test('totals, plots, tables and CSV have the figures of the API; the address restores them', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await api.patch('/workspace', { timezone: 'Asia/Kolkata' })
    await insertHistory(office, 5)
    await office.receive('+14155550190', 'one', 'Bo Customer')
    const conversations = async () => (await api.get('/conversations')).body.conversations
    const [{ id }] = await until(conversations, found => found.length === 1)
    const page = await open(office.owner, '/inbox')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: 'Reports' }).waitFor()
    await page.getByText('Days and hours are those of the workspace: Asia/Kolkata').waitFor()
    const waiting = page.getByRole('region', { name: 'Waiting now' })
    await expect.poll(() => readWaiting(page)).toEqual(['1', '0'])
    await showTable(page, 'Waiting now')
    await expect.poll(async () => (await readTable(page, 'Waiting now'))[0]).toEqual(['< 5 min', '1', '0'])
    const file = await readFile(page, 'Download the waits as CSV')
    expect(file.slice(0, 2)).toEqual(['fromSeconds,toSeconds,firstReply,nextReply', '0,300,1,0'])
    expect(file.length - 1).toBe((await readTable(page, 'Waiting now')).length)
    const link = waiting.getByRole('link', { name: 'Show these conversations' })
    expect(await link.getAttribute('href')).toMatch(/\/inbox\?view=all&waiting=(%22)?true/)
    await screenshots(page, 'reports')
    // A reply and a closing appear without a reload.
    await api.post(`/conversations/${id}/messages`, { content: { type: 'text', text: { body: 'Hello' } } })
    await api.post(`/conversations/${id}/close`)
    const overview = async (groupBy: string) => {
      const from = await page.getByLabel('From', { exact: true }).inputValue()
      const to = await page.getByLabel('To', { exact: true }).inputValue()
      const end = new Date(Date.parse(`${to}T00:00:00+05:30`) + dayMs).toISOString()
      const start = new Date(`${from}T00:00:00+05:30`).toISOString()
      return (await api.get(`/reports/overview?from=${start}&to=${end}&groupBy=${groupBy}`)).body
    }
    const { totals, groups } = await overview('day')
    expect(totals).toMatchObject({ opened: 21, closed: 21, replies: 21 })
    await expect
      .poll(async () => (await readTotals(page)).slice(0, 4))
      .toEqual([totals.opened, totals.reopened, totals.closed, totals.replies].map(String))
    await showTable(page, 'Opened')
    await expect.poll(async () => (await readTable(page, 'Opened')).length).toBe(7)
    const shown = (await readTable(page, 'Opened')).map(([, value]) => Number(value))
    expect(shown.filter(value => value > 0)).toEqual(groups.map((group: { opened: number }) => group.opened))
    expect(shown[0]).toBe(0)
    await showTable(page, 'First reply')
    const replies = (await readTable(page, 'First reply')).filter(([, , , count]) => count !== '0')
    type Durations = { firstReply: { averageSeconds: number; count: number } }
    expect(replies.map(([, , , count]) => Number(count))).toEqual(
      groups.map(({ firstReply }: Durations) => firstReply.count),
    )
    expect(replies[0]![1]).toBe(`${Math.round(groups[0].firstReply.averageSeconds / 60)} min`)
    await expect.poll(() => readWaiting(page)).toEqual(['0', '0'])
    await waiting.getByText('Nobody waits for a reply.').waitFor()
    await expectAccessible(page, 'reports')

    // The heat map has the figures of each weekday and hour.
    const heatMap = region(page, 'By weekday and hour')
    await heatMap.getByLabel('Figure').selectOption('Replies')
    await heatMap.scrollIntoViewIfNeeded()
    await screenshots(page, 'reports-hours')
    await showTable(page, 'By weekday and hour')
    await expect.poll(async () => (await readTable(page, 'By weekday and hour')).length).toBe(24)
    const cells = (await readTable(page, 'By weekday and hour')).flatMap(([, ...counts], hour) =>
      counts.map((count, day) => [`${day + 1}-${hour}`, Number(count)] as const),
    )
    const { groups: byHour } = await overview('hourOfWeek')
    expect(new Map(cells.filter(([, count]) => count > 0))).toEqual(
      new Map(byHour.map(({ key, replies }: { key: string; replies: number }) => [key, replies])),
    )
    expect(cells).toHaveLength(7 * 24)
    const [weekdays, ...hours] = await readFile(page, 'Download the hours as CSV')
    expect(weekdays!.split(',')).toHaveLength(8)
    expect(hours.map(line => line.split(',').slice(1).map(Number))).toEqual(
      Array.from({ length: 24 }, (_, hour) => cells.slice(hour * 7, hour * 7 + 7).map(([, count]) => count)),
    )
    await heatMap.getByRole('img', { name: /^Replies by weekday and hour. Most: / }).waitFor()

    // The cursor and the zoom work by keyboard.
    const slider = region(page, 'Opened').getByRole('slider')
    await slider.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(`Opened: ${shown[1]}`)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await region(page, 'Opened').getByRole('button', { name: 'Show all' }).waitFor()
    await page.keyboard.press('Home')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(`Opened: ${shown[1]}`)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('button', { name: 'Show all' }).count()).toBe(0)
    // Dragging selects a range, too.
    const box = (await slider.boundingBox())!
    const middle = box.y + box.height / 2
    await page.mouse.move(box.x + box.width * 0.4, middle)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, middle)
    await page.mouse.up()
    await region(page, 'Opened').getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Show all' }).count()).toBe(0)

    await page.getByLabel('Group by').selectOption('Inbox')
    await page.waitForURL(/groupBy=inbox/)
    await page.reload()
    expect(await page.getByLabel('Group by').inputValue()).toBe('inbox')
    // Names have their place in a table with bars.
    const inbox = (await api.get(`/inboxes/${office.inboxId}`)).body
    await expect.poll(() => readTable(page, 'Closed')).toEqual([[inbox.name, '21']])
    expect(await region(page, 'Closed').getByRole('slider').count()).toBe(0)
    expect(await region(page, 'Closed').locator('tbody rect').getAttribute('width')).toBe('100%')
    const byInbox = await overview('inbox')
    const [head, row] = await readFile(page, 'Download as CSV')
    expect(head).toMatch(/^Inbox,opened,reopened,closed,replies,firstReply\.count,firstReply\.averageSeconds/)
    const { firstReply } = byInbox.groups[0]
    expect(row).toMatch(
      new RegExp(`,21,0,21,21,${firstReply.count},${firstReply.averageSeconds},${firstReply.medianSeconds},`),
    )
    await groupBy(page, 'Day', 'day')
    await showTable(page, 'Closed')
    const [, firstDay] = await readFile(page, 'Download as CSV')
    expect(firstDay).toMatch(/^\d{4}-\d\d-\d\d,/)
    await groupBy(page, 'Hour of the day', 'hourOfDay')
    await showTable(page, 'Closed')
    await expect.poll(async () => (await readTable(page, 'Closed')).length).toBe(24)
    await groupBy(page, 'User', 'user')
    await expect
      .poll(() => readTable(page, 'Closed'))
      .toEqual(
        expect.arrayContaining([
          ['Ana Lima', '21'],
          ['None', '0'],
        ]),
      )
    // Nobody opens a conversation.
    expect(await region(page, 'Opened').count()).toBe(0)
    await screenshots(page, 'reports-people')
    await expectAccessible(page, 'report by person')
  })

  test('the figures equal a recount of conversations and messages in the database', async () => {
    const office = await openOffice(service)
    const { tenantId, owner } = office
    const kim = await office.hire('Kim Lee')
    const toNumber = (n: number) => `+1415555030${n}`
    for (let n = 0; n < 7; n++) await office.receive(toNumber(n), `question ${n}`, `Customer ${n}`)
    const list = async () => (await owner.api.get('/conversations')).body.conversations
    const found: { id: string; name: string }[] = await until(list, all => all.length === 7)
    const find = (n: number) => found.find(({ name }) => name === `Customer ${n}`)!.id
    const countMessages = () =>
      service.deps.db.value<number>(sql`select count(*)::int from messages where tenant_id = ${tenantId}`)
    const write = async (n: number) => {
      const before = (await countMessages())!
      await office.receive(toNumber(n), 'and another one')
      await until(countMessages, count => count === before + 1)
    }
    const reply = async ({ api }: Person, n: number) => {
      const content = { type: 'text', text: { body: `answer ${n}` } }
      expect((await api.post(`/conversations/${find(n)}/messages`, { content })).status).toBe(202)
    }
    for (const n of [0, 1, 2, 3, 4]) await reply(n % 2 === 0 ? owner : kim, n)
    for (const n of [0, 1]) await write(n)
    await reply(kim, 0)
    await reply(kim, 0)
    for (const n of [2, 3]) await owner.api.post(`/conversations/${find(n)}/close`)
    // A customer who writes after the end opens the conversation again.
    await write(3)
    const recount = () =>
      service.deps.db.one<Record<string, number>>(sql`
        with m as (
          select session_id, sender_type, lag(sender_type) over w as before, lead(sender_type) over w as after
          from messages where tenant_id = ${tenantId} window w as (partition by conversation_id order by position)
        ), s as (
          select closed_at, exists (select from m where m.session_id = id and sender_type = 'user') as replied,
            exists (select from m where m.session_id = id and sender_type = 'customer' and after is null) as waits
          from conversation_sessions where tenant_id = ${tenantId}
        )
        select (select count(*) from s)::int as opened, (select count(*) from s where closed_at is not null)::int as closed,
          (select count(*) from m where sender_type = 'user' and before = 'customer')::int as replies,
          (select count(*) from s where replied)::int as "firstReplies",
          (select count(*) from s where closed_at is null and waits and not replied)::int as "waitFirst",
          (select count(*) from s where closed_at is null and waits and replied)::int as "waitNext"`)
    const { opened, closed, replies, firstReplies, waitFirst, waitNext } = await recount()
    expect([opened, closed, replies, firstReplies, waitFirst, waitNext]).toEqual([8, 2, 6, 5, 3, 1])
    const page = await open(owner, '/reports')
    await expect
      .poll(async () => (await readTotals(page)).slice(0, 4))
      .toEqual([opened, 0, closed, replies].map(String))
    await expect.poll(() => readWaiting(page)).toEqual([String(waitFirst), String(waitNext)])
    const sum = async (name: string, column: number) => {
      const cells = (await readTable(page, name)).map(row => Number(row[column]))
      return cells.reduce((total, value) => total + value, 0)
    }
    await showTable(page, 'Opened')
    await expect.poll(() => sum('Opened', 1)).toBe(opened)
    await showTable(page, 'Closed')
    await expect.poll(() => sum('Closed', 1)).toBe(closed)
    await showTable(page, 'First reply')
    await expect.poll(() => sum('First reply', 3)).toBe(firstReplies)
    const byPerson = await service.deps.db.rows<{ name: string; count: number }>(sql`
      select u.name, count(*)::int as count from (
        select distinct on (session_id) sender_id from messages where tenant_id = ${tenantId} and sender_type = 'user'
        order by session_id, position) m
      join users u on u.tenant_id = ${tenantId} and u.id = m.sender_id group by u.name order by u.name`)
    await groupBy(page, 'User', 'user')
    const shown = async () =>
      (await readTable(page, 'First reply'))
        .filter(row => row[3] !== '0')
        .map(row => [row[0], Number(row[3])])
        .toSorted()
    await expect.poll(shown).toEqual(byPerson.map(({ name, count }) => [name, count]))
  })

  test('ranges are checked; a range without figures says so; errors can be retried', async () => {
    const office = await openOffice(service)
    const page = await open(office.owner, '/reports?from=2025-01-01&to=2025-01-31', { expected: /503/ })
    await page.getByText('Nothing happened in this range.').waitFor()
    await expectAccessible(page, 'empty report')
    await page.getByLabel('From', { exact: true }).fill('2025-02-01')
    await page.getByText('Choose a range of at most 366 days').waitFor()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await page.getByRole('button', { name: 'Last 30 days', pressed: true }).waitFor()
    expect(await page.getByRole('button', { pressed: true }).count()).toBe(1)
    await page.getByText('Nothing happened in this range.').waitFor()
    const fail = '**/v1/reports/overview?*'
    await page.route(fail, route => route.fulfill({ status: 503, json: { code: 'unavailable' } }))
    await page.getByRole('button', { name: 'Last 90 days' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'failed report')
    await page.unroute(fail)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing happened in this range.').waitFor()
  })

  test('an agent on a phone in the dark sees the figures of their own', async () => {
    const office = await openOffice(service)
    await insertHistory(office, 3)
    const agent = await office.hire('Kim Lee')
    await service.deps.db.run(sql`
      insert into conversation_counts (tenant_id, hour, type, inbox_id, team_id, user_id, bucket, count, seconds)
      values (${office.tenantId}, date_trunc('hour', now()) - interval '1 day', 'closed', ${office.inboxId}, '',
        ${agent.id}, 5, 2, 90)`)
    const { totals } = (await agent.api.get('/reports/overview')).body
    expect(totals).toMatchObject({ closed: 2, replies: 0 })
    const phone = { viewport: { width: 320, height: 740 }, colorScheme: 'dark' } as const
    const page = await open(agent, '/reports?groupBy=user', phone)
    await page.getByText('These are the figures of your own replies and closings.').waitFor()
    await expect.poll(async () => (await readTotals(page)).slice(0, 2)).toEqual(['2', '0'])
    expect(await page.getByLabel('Group by').inputValue()).toBe('day')
    expect(await page.getByLabel('Group by').getByRole('option', { name: 'User' }).count()).toBe(0)
    expect(await region(page, 'Opened').count()).toBe(0)
    await region(page, 'Resolution').getByRole('slider').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'report on a phone')
    await screenshot(page, 'reports-phone-dark')
  })
})
