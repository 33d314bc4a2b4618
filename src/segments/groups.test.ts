/** Tests groups of conditions, and conditions on tags, opt-outs, journeys, campaigns and custom events, over HTTP. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../test/harness/api.ts'
import { playProviders } from '../../test/harness/sandbox.ts'
import { sql } from '../platform/db/sql.ts'

const api = await testApi()
await playProviders(api)
let owner: Client
let tenantId: string
let workspace: Workspace

beforeEach(async () => {
  workspace = await api.workspace()
  owner = workspace.owner
  tenantId = workspace.tenantId
})

const create = async (name: string) => (await owner.post('/contacts', { name })).body.id as string
const createTag = async (name: string) => (await owner.post('/tags', { name })).body.id as string
const named = (text: string) => ({ type: 'searchText', text })
const search = (conditions: object[], match = 'all', client = owner) =>
  client.post('/contacts/search', { filter: { match, conditions } })
const namesOf = async (conditions: object[], match = 'all') => {
  const { status, body } = await search(conditions, match)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map((item: { name: string }) => item.name).sort()
}
const faults = async (conditions: object[]) => {
  const { status, body } = await search(conditions)
  expect(status).toBe(400)
  return body.violations.map((one: { field: string; code: string }) => [one.field, one.code])
}

describe('groups', () => {
  test('all and any at three levels; archiveStatus in a group replaces the implied condition', async () => {
    for (const name of ['Ada One', 'Ada Two', 'Bob One', 'Bob Two']) await create(name)
    await owner.post(`/contacts/${await create('Cyd Old')}/archive`)
    const oneAndAda = { match: 'all', conditions: [named('ada'), named('one')] }
    const twoAndBob = {
      match: 'all',
      conditions: [named('bob'), { match: 'any', conditions: [named('two')] }],
    }
    expect(await namesOf([oneAndAda, twoAndBob], 'any')).toEqual(['Ada One', 'Bob Two'])
    expect(await namesOf([{ match: 'any', conditions: [named('ada'), named('bob')] }, named('one')])).toEqual(
      ['Ada One', 'Bob One'],
    )
    const archived = { match: 'all', conditions: [{ type: 'archiveStatus', status: 'archived' }] }
    expect(await namesOf([archived, named('two')], 'any')).toEqual(['Ada Two', 'Bob Two', 'Cyd Old'])
  })

  test('400 for four levels, empty groups, 21 conditions in all, and faults with their path', async () => {
    const group = (...conditions: object[]) => ({ match: 'all', conditions })
    const never = { type: 'never' }
    expect((await search([group(group(never))])).status).toBe(200)
    expect((await search([group(group(group(never)))])).status).toBe(400)
    expect(await faults([group()])).toEqual([['filter.conditions[0].conditions', 'too_few']])
    const ten = Array.from({ length: 10 }, () => never)
    expect((await search([group(...ten), group(...ten)])).status).toBe(200)
    expect(await faults([group(...ten), group(...ten), never])).toEqual([['filter.conditions', 'too_many']])
    expect(await faults([group(never, { type: 'chatCount', operator: 'is', value: 1 })])).toEqual([
      ['filter.conditions[0].conditions[1].operator', 'invalid_value'],
    ])
    expect(await faults([group({ type: 'nothing' })])).toEqual([
      ['filter.conditions[0].conditions[0].type', 'invalid_value'],
    ])
    expect(await faults([{}])).toEqual([['filter.conditions[0].type', 'required']])
    expect(await faults([{ conditions: [never] }])).toEqual([['filter.conditions[0].match', 'required']])
    expect(await faults([group(group({ type: 'hasAnyTag', tagIds: ['tag_no'] }))])).toEqual([
      ['filter.conditions[0].conditions[0].conditions[0].tagIds[0]', 'unknown_tag'],
    ])
  })

  test('a segment returns its filter as it was given, flat or nested, and explains groups', async () => {
    const flat = { match: 'any', conditions: [named('x'), { type: 'chatCount', value: 1, operator: 'gte' }] }
    const nested = { conditions: [{ conditions: [named('ada'), named('bob')], match: 'any' }], match: 'all' }
    for (const filter of [flat, nested]) {
      const { body } = await owner.post('/segments', { name: 'S', filter })
      expect(JSON.stringify(body.filter)).toBe(JSON.stringify(filter))
      const read = await owner.get(`/segments/${body.id}`)
      expect(JSON.stringify(read.body.filter)).toBe(JSON.stringify(filter))
    }
    const { id } = (await owner.post('/segments', { name: 'S', filter: nested })).body
    const explain = async (contactId: string) =>
      (await owner.get(`/segments/${id}/contacts/${contactId}/explain`)).body
    expect(await explain(await create('Ada'))).toMatchObject({
      matches: true,
      conditions: [{ condition: { match: 'any' }, holds: true }, { implied: true }],
    })
    expect((await explain(await create('Cyd'))).matches).toBe(false)
    expect((await owner.get(`/segments/${id}/count`)).body).toEqual({ totalSize: 1 })
  })
})

describe('notAnyTag', () => {
  test('matches contacts without the tags; with a deleted tag, a segment matches no contact through it', async () => {
    const [vip, old] = [await createTag('VIP'), await createTag('Old')]
    const [ada, bob] = [await create('Ada'), await create('Bob')]
    await create('Cyd')
    await owner.post(`/contacts/${ada}/tags/${vip}`)
    await owner.post(`/contacts/${bob}/tags/${old}`)
    const without = (...tagIds: string[]) => ({ type: 'notAnyTag', tagIds })
    expect(await namesOf([without(vip)])).toEqual(['Bob', 'Cyd'])
    expect(await namesOf([without(vip, old)])).toEqual(['Cyd'])
    expect(await faults([without()])).toEqual([['filter.conditions[0].tagIds', 'too_few']])
    const filter = {
      match: 'all',
      conditions: [{ match: 'any', conditions: [without(vip, old), named('bob')] }],
    }
    const { id } = (await owner.post('/segments', { name: 'S', filter })).body
    expect((await owner.get(`/segments/${id}/count`)).body.totalSize).toBe(2)
    await owner.delete(`/tags/${vip}`)
    const { body } = await owner.get(`/segments/${id}`)
    expect(body.revision).toBe(2)
    expect(body.filter.conditions[0].conditions).toMatchObject([{ type: 'never' }, named('bob')])
    expect((await owner.get(`/segments/${id}/count`)).body.totalSize).toBe(1)
  })
})

describe('optedOut', () => {
  test('matches contacts that opted out of the channel', async () => {
    const ada = await create('Ada')
    await create('Bob')
    await owner.put(`/contacts/${ada}/opt-outs/sms`)
    expect(await namesOf([{ type: 'optedOut', channel: 'sms' }])).toEqual(['Ada'])
    expect(await namesOf([{ type: 'optedOut', channel: 'chatapp' }])).toEqual([])
    expect((await search([{ type: 'optedOut', channel: 'fax' }])).status).toBe(400)
    await owner.delete(`/contacts/${ada}/opt-outs/sms`)
    expect(await namesOf([{ type: 'optedOut', channel: 'sms' }])).toEqual([])
  })
})

describe('inJourney and gotCampaign', () => {
  test('match contacts with a run in progress, and those to which the message was sent', async () => {
    const definition = {
      nodes: [
        { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } },
        { id: 'w', type: 'delay', data: { for: { hours: 1 } } },
      ],
      edges: [{ id: 'e', source: 's', target: 'w' }],
    }
    const made = await owner.post('/journeys', { name: 'J', definition })
    const journeyId = made.body.id
    await owner.post(`/journeys/${journeyId}/publish`)
    expect((await owner.post(`/journeys/${journeyId}/activate`)).status).toBe(200)
    const [ada, bob] = [await create('Ada'), await create('Bob')]
    const run = await owner.post(`/journeys/${journeyId}/runs`, { contactId: ada })
    expect(run.status, JSON.stringify(run.body)).toBe(201)
    const inJourney = { type: 'inJourney', journeyId }
    expect(await namesOf([inJourney])).toEqual(['Ada'])
    await owner.post(`/runs/${run.body.id}/cancel`)
    expect(await namesOf([inJourney])).toEqual([])
    const campaignId = (await owner.post('/campaigns', { name: 'Spring' })).body.id
    for (const [id, status] of [
      [ada, 'skipped'],
      [bob, 'delivered'],
    ])
      await api.deps.db.run(sql`
        insert into campaign_recipients (tenant_id, campaign_id, contact_id, status, updated_at)
        values (${tenantId}, ${campaignId}, ${id}, ${status}, now())`)
    const gotCampaign = { type: 'gotCampaign', campaignId }
    expect(await namesOf([gotCampaign])).toEqual(['Bob'])
    await owner.post(`/contacts/${bob}/merge`, { intoContactId: ada })
    expect(await namesOf([gotCampaign])).toEqual(['Ada'])
  })

  test('400 for unknown journeys and campaigns, also of another workspace', async () => {
    const campaignId = (await owner.post('/campaigns', { name: 'Spring' })).body.id
    const journeyId = (await owner.post('/journeys', { name: 'J' })).body.id
    const chatbotId = (await owner.post('/chatbots', { name: 'B' })).body.id
    const conditions = [
      { type: 'inJourney', journeyId },
      { type: 'gotCampaign', campaignId },
    ]
    expect((await search(conditions)).status).toBe(200)
    expect(await faults([{ type: 'inJourney', journeyId: chatbotId }])).toEqual([
      ['filter.conditions[0].journeyId', 'unknown_journey'],
    ])
    const other = (await api.workspace()).owner
    const { status, body } = await search(conditions, 'all', other)
    expect(status).toBe(400)
    expect(body.violations.map((one: { code: string }) => one.code)).toEqual([
      'unknown_journey',
      'unknown_campaign',
    ])
    const filter = { match: 'all', conditions }
    expect((await other.post('/segments', { name: 'S', filter })).status).toBe(400)
    expect((await owner.post('/segments', { name: 'S', filter })).status).toBe(201)
  })
  let numbers = 0
  test('400 for campaigns that the caller cannot read, and without the scopes', async () => {
    const connected = await owner.post('/inboxes', {
      chatapp: { resourceIds: ['7'], phoneNumberIds: [`71${++numbers}`] },
    })
    const inboxId = connected.body.inboxes[0].id
    const { teamId } = workspace
    expect((await owner.put(`/inboxes/${inboxId}/team`, { teamId })).status).toBe(200)
    const campaignId = (await owner.post('/campaigns', { name: 'Spring' })).body.id
    expect((await owner.patch(`/campaigns/${campaignId}`, { inboxId })).status).toBe(200)
    const journeyId = (await owner.post('/journeys', { name: 'J' })).body.id
    const gotCampaign = { type: 'gotCampaign', campaignId }
    const codesFor = async (client: Client, conditions: object[]) => {
      const { status, body } = await search(conditions, 'any', client)
      return [status, ...(body.violations ?? []).map((one: { code: string }) => one.code)]
    }
    expect(await codesFor(await workspace.user('agent', [teamId]), [gotCampaign])).toEqual([200])
    expect(await codesFor(await workspace.user('agent'), [gotCampaign])).toEqual([400, 'unknown_campaign'])
    const key = await workspace.key({ scopes: ['contact:list'] })
    expect(await codesFor(key, [gotCampaign, { type: 'inJourney', journeyId }])).toEqual([
      400,
      'missing_scope',
      'missing_scope',
    ])
  })
})

describe('performedEvent', () => {
  const performed = (operator: string, value: number, windowDays?: number) => ({
    type: 'performedEvent',
    name: 'order',
    operator,
    value,
    ...(windowDays ? { windowDays } : {}),
  })

  test('counts the events of a contact, in all or in the last days, and those of a merged contact', async () => {
    const [ada, bob] = [await create('Ada'), await create('Bob')]
    await create('Cyd')
    const send = async (contactId: string, name = 'order') =>
      expect((await owner.post('/events', { name, contactId })).status).toBe(202)
    for (const contactId of [ada, ada, bob]) await send(contactId)
    await send(bob, 'visit')
    expect(await namesOf([performed('gte', 1)])).toEqual(['Ada', 'Bob'])
    expect(await namesOf([performed('eq', 2)])).toEqual(['Ada'])
    expect(await namesOf([performed('lte', 1)])).toEqual(['Bob', 'Cyd'])
    expect(await namesOf([performed('eq', 0)])).toEqual(['Cyd'])
    await api.deps.db.run(sql`
      update contact_events set at = at - interval '3 days' where tenant_id = ${tenantId} and contact_id = ${ada}`)
    expect(await namesOf([performed('gte', 1, 2)])).toEqual(['Bob'])
    expect(await namesOf([performed('gte', 1, 4)])).toEqual(['Ada', 'Bob'])
    await owner.post(`/contacts/${bob}/merge`, { intoContactId: ada })
    expect(await namesOf([performed('eq', 3)])).toEqual(['Ada'])
    expect((await owner.delete(`/contacts/${ada}`)).status).toBe(204)
    const { n } = await api.deps.db.one<{ n: number }>(
      sql`select count(*)::int as n from contact_events where tenant_id = ${tenantId}`,
    )
    expect(n).toBe(0)
  })

  test('400 for counts and windows that cannot be answered', async () => {
    expect((await search([performed('gte', 1_000, 365)])).status).toBe(200)
    expect(await faults([performed('gte', 1_001)])).toEqual([['filter.conditions[0].value', 'too_large']])
    expect(await faults([performed('gte', 1, 366)])).toEqual([
      ['filter.conditions[0].windowDays', 'too_large'],
    ])
    expect(await faults([{ ...performed('gte', 1), name: '' }])).toEqual([
      ['filter.conditions[0].name', 'too_short'],
    ])
  })
})
