import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../test/harness/api.ts'

const api = await testApi()

interface Person {
  name?: string
  phone?: string
  customFields?: Record<string, string>
}

async function create(owner: Client, ...people: Person[]): Promise<string[]> {
  const ids: string[] = []
  for (const person of people) ids.push((await owner.post('/contacts', person)).body.id)
  return ids
}

const names = (items: { name: string }[]) => items.map(item => item.name)

async function list(owner: Client, query: string): Promise<string[]> {
  const answer = await owner.get(`/contacts?${query}`)
  expect(answer.status).toBe(200)
  return names(answer.body.contacts)
}

function search(owner: Client, conditions: object[], rest: object = {}) {
  return owner.post('/contacts/search', { filter: { match: 'all', conditions }, ...rest })
}

describe('GET /contacts', () => {
  test('200 with every parameter alone and together', async () => {
    const { owner } = await api.workspace()
    await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })
    await owner.post('/contacts/custom-fields', { name: 'born', type: 'date' })
    const tags = [
      (await owner.post('/tags', { name: 'VIP' })).body.id,
      (await owner.post('/tags', { name: 'Cold' })).body.id,
    ]
    const [ada] = await create(owner, {
      name: 'Ada',
      phone: '+14155550001',
      customFields: { plan: 'gold', born: '2000-01-02', cf_email: 'ada@x.io' },
    })
    api.deps.clock.advance(60_000)
    const middle = api.deps.clock.now().toISOString()
    const [bob, cyd] = await create(owner, { name: 'bob', customFields: { plan: 'Gold' } }, { name: 'Cyd' })
    await owner.post(`/contacts/${ada}/tags/${tags[0]}`)
    await owner.post(`/contacts/${bob}/tags/${tags[1]}`)
    await owner.post(`/contacts/${cyd}/archive`)

    expect(await list(owner, '')).toEqual(['bob', 'Ada'])
    expect(await list(owner, 'archived=true')).toEqual(['Cyd'])
    expect(await list(owner, 'search=ADA@X')).toEqual(['Ada'])
    expect(await list(owner, 'search=5550001')).toEqual(['Ada'])
    expect(await list(owner, 'search=vip')).toEqual(['Ada'])
    expect(await list(owner, 'search=')).toEqual(['bob', 'Ada'])
    expect(await list(owner, 'customFields[plan]=gold')).toEqual(['Ada'])
    expect(await list(owner, 'customFields[plan]=gold&customFields[born]=2000-01-02')).toEqual(['Ada'])
    expect(await list(owner, 'customFields[plan]=gold&customFields[born]=2000-01-03')).toEqual([])
    expect(await list(owner, `tagIds=${tags[0]}&tagIds=${tags[1]}`)).toEqual(['bob', 'Ada'])
    expect(await list(owner, `tagIds=${tags[1]}`)).toEqual(['bob'])
    expect(await list(owner, 'channels=chatapp&channels=sms')).toEqual(['Ada'])
    expect(await list(owner, `createdAfter=${middle}`)).toEqual(['bob'])
    expect(await list(owner, `createdBefore=${middle}`)).toEqual(['Ada'])
    expect(await list(owner, 'orderBy=name&orderDirection=asc')).toEqual(['Ada', 'bob'])
    expect(await list(owner, 'orderBy=updatedAt')).toEqual(['bob', 'Ada'])
    expect(await list(owner, 'orderBy=lastInteractionAt')).toEqual(['bob', 'Ada'])
    const all = `search=a&customFields[plan]=gold&tagIds=${tags[0]}&channels=chatapp&archived=false&createdBefore=${middle}&orderBy=name&orderDirection=desc`
    expect(await list(owner, all)).toEqual(['Ada'])
  })

  test('names of custom fields may contain brackets', async () => {
    const { owner } = await api.workspace()
    for (const name of ['size [cm]', 'a]b[', '[x]']) {
      await owner.post('/contacts/custom-fields', { name, type: 'text' })
      await owner.post('/contacts', { name, customFields: { [name]: '5' } })
      expect(await list(owner, `customFields[${encodeURIComponent(name)}]=5`)).toEqual([name])
      expect(await list(owner, `customFields${encodeURIComponent(`[${name}]`)}=5`)).toEqual([name])
    }
  })

  test.each([
    ['tagIds=tag_no', 'tagIds[0]'],
    ['customFields[nope]=1', 'customFields.nope'],
    ['channels=fax', 'channels[0]'],
    ['createdAfter=2026-02-30T00:00:00Z', 'createdAfter'],
    ['orderBy=shoeSize', 'orderBy'],
    ['archived=maybe', 'archived'],
    ['colour=red', 'colour'],
    ['pageSize=0', 'pageSize'],
  ])('400 for %s', async (query, field) => {
    const { owner } = await api.workspace()
    expect((await owner.get(`/contacts?${query}`)).body).toMatchObject({
      status: 400,
      violations: [{ field }],
    })
  })

  test('no duplicates and no gaps while contacts are inserted between pages', async () => {
    const { owner } = await api.workspace()
    let before = await create(owner, ...Array.from({ length: 23 }, (_, i) => ({ name: `n${i % 7}` })))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('createdAt', 'updatedAt', 'name', 'lastInteractionAt'),
        fc.constantFrom('asc', 'desc'),
        async (pageSize, orderBy, orderDirection) => {
          const seen: string[] = []
          const made: string[] = []
          let token = ''
          do {
            const query = `pageSize=${pageSize}&orderBy=${orderBy}&orderDirection=${orderDirection}${token}`
            const { body } = await owner.get(`/contacts?${query}`)
            seen.push(...body.contacts.map((contact: { id: string }) => contact.id))
            token = body.nextPageToken ? `&pageToken=${body.nextPageToken}` : ''
            if (made.length < 3) made.push(...(await create(owner, { name: `n${made.length * 3}` })))
          } while (token)
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen).toEqual(expect.arrayContaining(before))
          before = [...before, ...made]
        },
      ),
      { numRuns: 8 },
    )
  })

  test('400 invalid_page_token for a token of another query, an altered one, or one of another workspace', async () => {
    const [{ owner }, other] = [await api.workspace(), await api.workspace()]
    await create(owner, { name: 'a' }, { name: 'b' })
    const token = (await owner.get('/contacts?pageSize=1')).body.nextPageToken
    expect((await owner.get(`/contacts?pageSize=1&pageToken=${token}`)).status).toBe(200)
    for (const answer of [
      await owner.get(`/contacts?pageSize=1&search=a&pageToken=${token}`),
      await owner.get(`/contacts?pageSize=1&pageToken=x${token}`),
      await other.owner.get(`/contacts?pageSize=1&pageToken=${token}`),
    ])
      expect(answer.body).toMatchObject({ status: 400, code: 'invalid_page_token' })
  })
})

describe('POST /contacts/search', () => {
  test('200 with summaries, pages and a count', async () => {
    const { owner } = await api.workspace()
    const tag = (await owner.post('/tags', { name: 'VIP' })).body
    const [id] = await create(
      owner,
      { name: 'Ada', phone: '+14155550002', customFields: { cf_email: 'a@x.io', cf_phone: '99' } },
      { name: 'Bob', customFields: { cf_phone: '98' } },
    )
    await owner.post(`/contacts/${id}/tags/${tag.id}`)
    const first = await search(owner, [], { limit: 1, sort: { field: 'name', direction: 'desc' } })
    expect(first.body).toMatchObject({
      items: [{ name: 'Bob', email: null, phone: '98', tags: [], channels: [], hasConversations: false }],
      hasMore: true,
    })
    const next = await search(owner, [], {
      limit: 1,
      sort: { field: 'name', direction: 'desc' },
      cursor: first.body.nextCursor,
    })
    expect(next.body).toMatchObject({
      items: [
        {
          id,
          email: 'a@x.io',
          phone: '+14155550002',
          tags: [{ id: tag.id, name: 'VIP' }],
          channels: ['chatapp'],
        },
      ],
      nextCursor: null,
      hasMore: false,
    })
    const filter = {
      match: 'any',
      conditions: [
        { type: 'searchText', text: 'ADA' },
        { type: 'hasAnyTag', tagIds: [] },
      ],
    }
    expect((await owner.post('/contacts/search/count', { filter })).body).toEqual({ totalSize: 1 })
  })

  test('matches any condition with match any', async () => {
    const { owner } = await api.workspace()
    await create(owner, { name: 'Ada' }, { name: 'Bob' }, { name: 'Cyd' })
    const conditions = [
      { type: 'searchText', text: 'ada' },
      { type: 'searchText', text: 'cyd' },
    ]
    expect(names((await search(owner, conditions)).body.items)).toEqual([])
    const any = await owner.post('/contacts/search', { filter: { match: 'any', conditions } })
    expect(names(any.body.items)).toEqual(['Cyd', 'Ada'])
  })

  const field = { type: 'customFieldDate', fieldId: 'cf_email' }
  test.each<[object, string]>([
    [{ type: 'shoeSize' }, 'filter.conditions[0].type'],
    [{}, 'filter.conditions[0].type'],
    [{ type: 'searchText', text: '' }, 'filter.conditions[0].text'],
    [{ type: 'searchText', text: 'x', more: 1 }, 'filter.conditions[0].more'],
    [{ type: 'hasAnyTag', tagIds: ['tag_no'] }, 'filter.conditions[0].tagIds[0]'],
    [{ type: 'hasAnyChannel', channels: ['fax'] }, 'filter.conditions[0].channels[0]'],
    [{ type: 'createdAt' }, 'filter.conditions[0]'],
    [{ type: 'createdAt', after: '2026-02-30T00:00:00Z' }, 'filter.conditions[0].after'],
    [{ type: 'lastInteraction', withinDays: 0 }, 'filter.conditions[0].withinDays'],
    [{ type: 'chatCount', operator: 'gt', value: 1 }, 'filter.conditions[0].operator'],
    [{ type: 'customFieldText', fieldId: 'cf_no', operator: 'isSet' }, 'filter.conditions[0].fieldId'],
    [{ type: 'customFieldText', fieldId: 'cf_email', operator: 'equals' }, 'filter.conditions[0].value'],
    [{ ...field, operator: 'isSet' }, 'filter.conditions[0].fieldId'],
  ])('400 for %j', async (condition, path) => {
    const { owner } = await api.workspace()
    const answer = await search(owner, [condition])
    expect(answer.status).toBe(400)
    expect(answer.body.violations.map((one: { field: string }) => one.field)).toContain(path)
  })

  test('400 for dates that do not exist, days that are not numbers, and 21 conditions', async () => {
    const { owner } = await api.workspace()
    const born = (await owner.post('/contacts/custom-fields', { name: 'born', type: 'date' })).body.id
    const date = (operator: string, value: unknown) => ({
      type: 'customFieldDate',
      fieldId: born,
      operator,
      value,
    })
    for (const condition of [
      date('on', '2026-02-30'),
      date('before', 'soon'),
      date('withinNextDays', 'x'),
      date('on', 3),
    ])
      expect((await search(owner, [condition])).body.violations).toMatchObject([
        { field: 'filter.conditions[0].value' },
      ])
    expect((await search(owner, [date('on', '2024-02-29'), date('withinNextDays', 7)])).status).toBe(200)
    const many = Array.from({ length: 21 }, () => ({ type: 'never' }))
    expect((await search(owner, many)).status).toBe(400)
    expect((await search(owner, many.slice(1))).status).toBe(200)
  })

  test('extreme times are 200 or 400, never 500', async () => {
    const { owner } = await api.workspace()
    await create(owner, { name: 'A' })
    const moments = [
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-14:00',
      '9999-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
    ]
    for (const at of moments) {
      for (const type of ['createdAt', 'firstSeen', 'lastInteraction']) {
        const answer = await search(owner, [
          { type, after: at },
          { type, before: at },
        ])
        expect([200, 400]).toContain(answer.status)
      }
    }
  })
})
