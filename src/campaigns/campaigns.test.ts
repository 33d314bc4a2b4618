import { describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../test/harness/api.ts'
import { playProviders } from '../../test/harness/sandbox.ts'

const api = await testApi()
await playProviders(api)

const text = (body: string) => ({ type: 'text', text: { body } })
const everyone = { match: 'all', conditions: [] }
let numbers = 0

async function inboxOf(client: Client): Promise<string> {
  const waba = `77${++numbers}`
  const made = await client.post('/inboxes', {
    chatapp: { resourceIds: [waba], phoneNumberIds: [`${waba}001`] },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.inboxes[0].id
}

async function segmentOf(client: Client): Promise<string> {
  return (await client.post('/segments', { name: 'All', filter: everyone })).body.id
}

async function draft(client: Client, patch: object = {}) {
  const { body } = await client.post('/campaigns', { name: 'Spring' })
  return Object.keys(patch).length > 0 ? (await client.patch(`/campaigns/${body.id}`, patch)).body : body
}

async function complete({ owner }: Workspace, content: object = text('Hello')) {
  const [inboxId, segmentId] = [await inboxOf(owner), await segmentOf(owner)]
  return draft(owner, { inboxId, segmentId, content })
}

const later = () => new Date(Date.now() + 3_600_000).toISOString()

describe('drafts', () => {
  test('201 with every field; PATCH changes revision, ETag and the channel of the inbox', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const admin = await workspace.user('admin')
    const made = await owner.post('/campaigns', { name: 'Spring' })
    expect(made).toMatchObject({ status: 201 })
    expect(made.headers.get('etag')).toBe('"1"')
    expect(made.body).toMatchObject({
      name: 'Spring',
      status: 'draft',
      segmentId: null,
      inboxId: null,
      channel: null,
      content: null,
      sendRate: null,
      revision: 1,
      scheduledAt: null,
      evaluatedAt: null,
      sentAt: null,
      audienceCount: null,
      dispatchError: null,
      updatedBy: owner.id,
    })
    const path = `/campaigns/${made.body.id}`
    const inboxId = await inboxOf(owner)
    const changed = await owner.patch(path, { inboxId, content: text('Hi {{contact.name | default: you}}') })
    expect(changed).toMatchObject({ status: 200, body: { revision: 2, channel: 'chatapp', inboxId } })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await owner.patch(path, { inboxId })).body.revision).toBe(2)
    const emptied = await admin.patch(path, { inboxId: null })
    expect(emptied.body).toMatchObject({ channel: null, revision: 3, updatedBy: admin.id })
    expect((await owner.get(path)).body).toMatchObject({ revision: 3, updatedBy: admin.id })
  })

  test('412 for a stale ETag in PATCH, DELETE, schedule and unschedule', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id, revision } = await complete(workspace)
    const path = `/campaigns/${id}`
    const stale = { 'if-match': `"${revision - 1}"` }
    expect((await owner.patch(path, { name: 'B' }, stale)).status).toBe(412)
    expect((await owner.delete(path, stale)).status).toBe(412)
    expect((await owner.post(`${path}/schedule`, { sendAt: later() }, stale)).status).toBe(412)
    const current = { 'if-match': `"${revision}"` }
    expect((await owner.post(`${path}/schedule`, { sendAt: later() }, current)).status).toBe(200)
    expect((await owner.post(`${path}/unschedule`, undefined, current)).status).toBe(412)
    expect((await owner.post(`${path}/unschedule`, undefined, { 'if-match': '*' })).status).toBe(200)
    expect((await owner.delete(path)).status).toBe(204)
    expect((await owner.get(path)).body.code).toBe('campaign_not_found')
  })

  test('400 for unknown references, invalid placeholders and unsupported content', async () => {
    const { owner } = await api.workspace()
    const { id } = await draft(owner)
    const path = `/campaigns/${id}`
    const faults = async (patch: object) =>
      ((await owner.patch(path, patch)).body.violations ?? []).map((one: { field: string; code: string }) => [
        one.field,
        one.code,
      ])
    expect(await faults({ segmentId: 'seg_no', inboxId: 'ibx_no' })).toEqual([
      ['segmentId', 'unknown_segment'],
      ['inboxId', 'unknown_inbox'],
    ])
    expect(await faults({ content: text('Hi {{contact.name') })).toEqual([
      ['content.text.body', 'invalid_placeholder'],
    ])
    expect(
      await faults({ content: text('{{user.name}} {{contact.customFields.nope}} {{contact.name.x}}') }),
    ).toEqual([
      ['content.text.body', 'unknown_value'],
      ['content.text.body', 'unknown_custom_field'],
      ['content.text.body', 'unknown_value'],
    ])
    expect(await faults({ sendRate: 0 })).toEqual([['sendRate', expect.any(String)]])
    expect((await owner.patch(path, { sendAt: 'now' })).status).toBe(400)
    expect((await owner.get(path)).body.revision).toBe(1)
  })

  test('409 for changing or deleting a scheduled campaign', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id } = await complete(workspace)
    await owner.post(`/campaigns/${id}/schedule`, { sendAt: later() })
    expect((await owner.patch(`/campaigns/${id}`, { name: 'B' })).body.code).toBe('campaign_not_draft')
    expect((await owner.delete(`/campaigns/${id}`)).body.code).toBe('campaign_not_deletable')
    expect((await owner.post(`/campaigns/${id}/schedule`, { sendAt: 'now' })).body.code).toBe(
      'campaign_not_draft',
    )
  })

  test('200 list: newest first, by status, in pages', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const scheduled = await complete(workspace)
    await owner.post(`/campaigns/${scheduled.id}/schedule`, { sendAt: later() })
    const ids = [scheduled.id]
    for (let i = 0; i < 3; i++) ids.push((await draft(owner)).id)
    const list = async (query: string) => (await owner.get(`/campaigns${query}`)).body
    expect((await list('')).items.map((one: { id: string }) => one.id)).toEqual([...ids].reverse())
    expect((await list('?status=scheduled')).items.map((one: { id: string }) => one.id)).toEqual([
      scheduled.id,
    ])
    const first = await list('?limit=3')
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
    const second = await list(`?limit=3&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ items: [{ id: scheduled.id }], hasMore: false, nextCursor: null })
    expect((await owner.get('/campaigns?status=odd')).status).toBe(400)
  })

  test('agents see campaigns without an inbox, on an inbox without a team, or of their teams', async () => {
    const workspace = await api.workspace()
    const { owner, teamId } = workspace
    const campaigns = [
      await draft(owner),
      await complete(workspace),
      await complete(workspace),
      await complete(workspace),
    ]
    const other = (await owner.post('/teams', { name: 'Other' })).body.id
    await owner.put(`/inboxes/${campaigns[2].inboxId}/team`, { teamId })
    await owner.put(`/inboxes/${campaigns[3].inboxId}/team`, { teamId: other })
    const agent = await workspace.user('agent', [teamId])
    const seen = (await agent.get('/campaigns')).body.items.map((one: { id: string }) => one.id)
    expect(seen).toEqual([campaigns[2].id, campaigns[1].id, campaigns[0].id])
    expect((await agent.get(`/campaigns/${campaigns[3].id}`)).status).toBe(404)
    expect((await agent.get(`/campaigns/${campaigns[3].id}/analytics`)).status).toBe(404)
    expect((await agent.get(`/campaigns/${campaigns[2].id}/analytics`)).status).toBe(200)
  })

  test('audit entries name actor and action', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id } = await complete(workspace)
    await owner.post(`/campaigns/${id}/schedule`, { sendAt: later() })
    await owner.post(`/campaigns/${id}/unschedule`)
    await owner.delete(`/campaigns/${id}`)
    const { body } = await owner.get(`/audit-log?targetId=${id}`)
    const entries = body[Object.keys(body)[0]!] as { action: string }[]
    expect(entries.map(entry => entry.action)).toEqual([
      'campaign.deleted',
      'campaign.unscheduled',
      'campaign.scheduled',
      'campaign.updated',
      'campaign.created',
    ])
  })
})

describe('scheduling', () => {
  test('400 with one violation per missing part', async () => {
    const { owner } = await api.workspace()
    const { id } = await draft(owner)
    const answer = await owner.post(`/campaigns/${id}/schedule`, { sendAt: 'now' })
    expect(answer.status).toBe(400)
    expect(answer.body.violations.map((one: { field: string }) => one.field)).toEqual([
      'segmentId',
      'inboxId',
      'content',
    ])
  })

  test.each(['', 'tomorrow', '2026-02-30T10:00:00Z', '2026-06-01T10:00:00', '2001-01-01T00:00:00Z'])(
    '400 for the time %j',
    async sendAt => {
      const workspace = await api.workspace()
      const { id } = await complete(workspace)
      const answer = await workspace.owner.post(`/campaigns/${id}/schedule`, { sendAt })
      expect(answer.body).toMatchObject({ status: 400, violations: [{ field: 'sendAt' }] })
    },
  )

  test('200 for a time up to a minute ago, which means now; 400 for an earlier one', async () => {
    const workspace = await api.workspace()
    const { id } = await complete(workspace)
    const schedule = (agoMs: number) => {
      const sendAt = new Date(api.deps.clock.now().getTime() - agoMs).toISOString()
      return workspace.owner.post(`/campaigns/${id}/schedule`, { sendAt })
    }
    expect((await schedule(61_000)).body).toMatchObject({
      status: 400,
      violations: [{ field: 'sendAt', code: 'in_the_past' }],
    })
    const before = api.deps.clock.now().getTime()
    const late = await schedule(50_000)
    expect(late).toMatchObject({ status: 200, body: { status: 'scheduled' } })
    expect(Date.parse(late.body.scheduledAt)).toBeGreaterThanOrEqual(before)
  })

  test('400 for a template that is unknown, not approved, or lacks a parameter', async () => {
    const workspace = await api.workspace()
    const faults = async (template: object) => {
      const { id } = await complete(workspace, {
        type: 'template',
        template: { language: 'en_US', ...template },
      })
      const { body } = await workspace.owner.post(`/campaigns/${id}/schedule`, { sendAt: later() })
      return (body.violations ?? []).map((one: { code: string }) => one.code)
    }
    expect(await faults({ name: 'nothing_like_it' })).toEqual(['template_unknown'])
    expect(await faults({ name: 'paused_offer' })).toEqual(['template_not_approved'])
    expect(await faults({ name: 'greeting' })).toEqual(['missing_parameter'])
    expect(await faults({ name: 'hello_world' })).toEqual([])
  })

  test('400 for an unknown flow, and for text without a visible character', async () => {
    const workspace = await api.workspace()
    const card = { body: { text: 'Rate us' }, actions: [{ type: 'flow', title: 'Open', flowId: '123' }] }
    const { id } = await complete(workspace, { type: 'rich', rich: card })
    expect((await workspace.owner.post(`/campaigns/${id}/schedule`, { sendAt: later() })).body).toMatchObject(
      {
        status: 400,
        violations: [{ field: 'content.rich.actions[0].flowId', code: 'flow_unknown' }],
      },
    )
    const blank = { content: { type: 'text', text: { body: ' \u200b' } } }
    expect((await workspace.owner.patch(`/campaigns/${id}`, blank)).body).toMatchObject({
      status: 400,
      violations: [{ field: 'content.text.body', code: 'blank' }],
    })
  })

  test('200 for times with any offset, also across a daylight saving change', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id } = await complete(workspace)
    const year = new Date().getUTCFullYear() + 1
    const schedule = async (sendAt: string) => {
      const { body } = await owner.post(`/campaigns/${id}/schedule`, { sendAt })
      await owner.post(`/campaigns/${id}/unschedule`)
      return body.scheduledAt
    }
    expect(await schedule(`${year}-03-30T01:30:00+01:00`)).toBe(`${year}-03-30T00:30:00.000Z`)
    expect(await schedule(`${year}-03-30T03:30:00+02:00`)).toBe(`${year}-03-30T01:30:00.000Z`)
    expect(await schedule(`${year}-10-25T02:30:00+02:00`)).toBe(`${year}-10-25T00:30:00.000Z`)
    expect(await schedule(`${year}-10-25T02:30:00+01:00`)).toBe(`${year}-10-25T01:30:00.000Z`)
    expect(await schedule(`${year}-06-01T00:15:00+05:45`)).toBe(`${year}-05-31T18:30:00.000Z`)
    expect(await schedule(`${year}-06-01T23:00:00-12:00`)).toBe(`${year}-06-02T11:00:00.000Z`)
  })

  test('200 unschedule: a draft without scheduledAt', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id } = await complete(workspace)
    const at = later()
    const scheduled = await owner.post(`/campaigns/${id}/schedule`, { sendAt: at })
    expect(scheduled.body).toMatchObject({ status: 'scheduled', scheduledAt: at })
    const back = await owner.post(`/campaigns/${id}/unschedule`)
    expect(back).toMatchObject({ status: 200, body: { status: 'draft', scheduledAt: null } })
    expect(back.headers.get('etag')).toBe(`"${back.body.revision}"`)
    expect((await owner.post(`/campaigns/${id}/unschedule`)).body.code).toBe('campaign_not_scheduled')
  })

  test('200 for a repeated Idempotency-Key; one of many concurrent requests schedules', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id, revision } = await complete(workspace)
    const schedule = (headers: Record<string, string> = {}) =>
      owner.post(`/campaigns/${id}/schedule`, { sendAt }, headers)
    const sendAt = later()
    const first = await schedule({ 'idempotency-key': 'once' })
    const second = await schedule({ 'idempotency-key': 'once' })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    await owner.post(`/campaigns/${id}/unschedule`)
    const answers = await Promise.all(Array.from({ length: 6 }, () => schedule()))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await owner.get(`/campaigns/${id}`)).body).toMatchObject({
      status: 'scheduled',
      revision: revision + 3,
    })
  })

  test('409 for pause, resume and cancel of a draft', async () => {
    const { owner } = await api.workspace()
    const { id } = await draft(owner)
    const codes = []
    for (const step of ['pause', 'resume', 'cancel'])
      codes.push((await owner.post(`/campaigns/${id}/${step}`)).body.code)
    expect(codes).toEqual(['campaign_not_sending', 'campaign_not_paused', 'campaign_not_cancellable'])
  })

  test('409 for deleting a segment that a scheduled campaign uses, with the campaigns', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id, name, segmentId } = await complete(workspace)
    const remove = () => owner.delete(`/segments/${segmentId}`, { 'if-match': '*' })
    expect((await owner.post(`/campaigns/${id}/schedule`, { sendAt: later() })).status).toBe(200)
    expect((await remove()).body).toMatchObject({
      status: 409,
      code: 'segment_in_use',
      detail: expect.stringContaining(name),
      campaigns: [{ id, name }],
    })
    const reader = await workspace.key({ scopes: ['segment:delete'] })
    const unnamed = await reader.delete(`/segments/${segmentId}`, { 'if-match': '*' })
    expect(unnamed).toMatchObject({ status: 409, body: { code: 'segment_in_use' } })
    expect(JSON.stringify(unnamed.body)).not.toMatch(new RegExp(`${id}|${name}`))
    expect((await owner.get(`/segments/${segmentId}`)).status).toBe(200)
    await owner.post(`/campaigns/${id}/unschedule`)
    expect((await remove()).status).toBe(204)
  })

  test('a segment deleted while its campaign is scheduled: one of the two is refused', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const inboxId = await inboxOf(owner)
    for (let round = 0; round < 10; round++) {
      const segmentId = await segmentOf(owner)
      const { id } = await draft(owner, { inboxId, segmentId, content: text('Hello') })
      const [scheduled, deleted] = await Promise.all([
        owner.post(`/campaigns/${id}/schedule`, { sendAt: later() }),
        owner.delete(`/segments/${segmentId}`, { 'if-match': '*' }),
      ])
      expect([
        [200, 409],
        [400, 204],
      ]).toContainEqual([scheduled.status, deleted.status])
    }
  })

  test('the audit entry of a deleted tag names campaigns scheduled on its segments', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const { id, segmentId } = await complete(workspace)
    const tag = (await owner.post('/tags', { name: 'VIP' })).body
    const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
    await owner.patch(`/segments/${segmentId}`, { filter }, { 'if-match': '*' })
    await owner.post(`/campaigns/${id}/schedule`, { sendAt: later() })
    await owner.delete(`/tags/${tag.id}`)
    const { body } = await owner.get(`/audit-log?targetId=${segmentId}`)
    const [entry] = body[Object.keys(body)[0]!]
    expect(entry).toMatchObject({
      action: 'segment.rewritten',
      details: { campaigns: [{ id, name: 'Spring' }] },
    })
  })
})
