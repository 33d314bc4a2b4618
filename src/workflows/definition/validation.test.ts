import { describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { sql } from '../../platform/db/sql.ts'
import { definitionViolations } from './validation.ts'

const api = await testApi()
await playProviders(api)

const start = { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }
const text = (body: string) => ({ type: 'text', text: { body } })

interface TestDefinition {
  nodes: { id: string; type: string; data: Record<string, unknown> }[]
  edges: { id: string; source: string; target: string; sourceHandle?: string | null }[]
}

/** Connects the nodes in sequence, each by its first output. */
function line(...nodes: [type: string, data: object][]): TestDefinition {
  const all = [start, ...nodes.map(([type, data], i) => ({ id: `n${i + 1}`, type, data: data as never }))]
  const edges = all.slice(1).map((node, i) => ({ id: `e${i}`, source: all[i]!.id, target: node.id }))
  return { nodes: all, edges }
}

/** Returns `path code`, with paths relative to the definition. */
const listViolations = (definition: TestDefinition, kind: 'journey' | 'chatbot' = 'journey') =>
  definitionViolations(kind, definition).map(
    ({ field, code }) => `${field.replace(/^(definition|draft)\.?/, '')} ${code}`,
  )

async function publish(owner: Client, definition: object) {
  const { id } = (await owner.post('/journeys', { name: 'J', definition })).body
  const answer = await owner.post(`/journeys/${id}/publish`)
  const violations = (answer.body.violations ?? []) as { field: string; code: string }[]
  return { status: answer.status as number, faults: violations.map(({ field, code }) => `${field} ${code}`) }
}

describe('graph', () => {
  const end = { id: 'x', type: 'end', data: {} }
  const edge = (source: string, target: string, sourceHandle?: string) => ({
    id: `${source}-${sourceHandle}-${target}`,
    source,
    target,
    ...(sourceHandle === undefined ? {} : { sourceHandle }),
  })
  const tag = (id: string) => ({ id, type: 'addTag', data: { tagId: 't' } })

  test('start_missing and start_repeated unless there is one start node', () => {
    expect(listViolations({ nodes: [], edges: [] })).toEqual(['nodes start_missing'])
    expect(listViolations({ nodes: [start, { ...start, id: 't' }], edges: [] })).toEqual([
      'nodes[1].type start_repeated',
    ])
    expect(listViolations({ nodes: [start], edges: [] })).toEqual([])
  })

  test('duplicate ids, and edges between unknown nodes', () => {
    const nodes = [start, end, end]
    expect(listViolations({ nodes, edges: [edge('s', 'x')] })).toEqual(['nodes[2].id duplicate'])
    expect(listViolations({ nodes: [start], edges: [edge('s', 'y')] })).toEqual([
      'edges[0].target unknown_node',
    ])
    expect(listViolations({ nodes: [start], edges: [edge('y', 's')] })).toEqual([
      'edges[0].source unknown_node',
    ])
    const twice = { nodes: [start, end], edges: [edge('s', 'x'), { ...edge('s', 'x') }] }
    expect(listViolations(twice)).toEqual(['edges[1].id duplicate', 'edges[1] output_taken'])
  })

  test('unreachable nodes', () => {
    expect(listViolations({ nodes: [start, end], edges: [] })).toEqual(['nodes[1] unreachable'])
    const island = { nodes: [start, tag('a'), tag('b')], edges: [edge('a', 'b')] }
    expect(listViolations(island)).toEqual(['nodes[1] unreachable', 'nodes[2] unreachable'])
  })

  test('unknown outputs, and outputs with two edges', () => {
    const menu = {
      id: 'm',
      type: 'menu',
      data: { content: text('?'), options: [{ id: 'yes', title: 'Yes' }] },
    }
    const nodes = [start, menu, end]
    const by = (handle?: string) => listViolations({ nodes, edges: [edge('s', 'm'), edge('m', 'x', handle)] })
    expect(by()).toEqual([])
    expect(by('yes')).toEqual([])
    expect(by('other')).toEqual([])
    const unknown = ['edges[1].sourceHandle unknown_output', 'nodes[2] unreachable']
    expect(by('no')).toEqual(unknown)
    expect(by('')).toEqual(unknown)
    const both = [edge('s', 'm'), edge('m', 'x'), edge('m', 's', 'yes')]
    expect(listViolations({ nodes, edges: both })).toEqual(['edges[2] output_taken'])
    const after = { nodes: [start, end], edges: [edge('s', 'x'), edge('x', 's')] }
    expect(listViolations(after)).toEqual(['edges[1].source no_output'])
  })

  test('loop_without_wait, except through a jump', () => {
    const loop = {
      nodes: [start, tag('a'), tag('b')],
      edges: [edge('s', 'a'), edge('a', 'b'), edge('b', 'a')],
    }
    expect(listViolations(loop)).toEqual(['nodes[1] loop_without_wait'])
    const self = { nodes: [start, tag('a')], edges: [edge('s', 'a'), edge('a', 'a')] }
    expect(listViolations(self)).toEqual(['nodes[1] loop_without_wait'])
    const delay = { id: 'b', type: 'delay', data: { for: { hours: 1 } } }
    expect(listViolations({ ...loop, nodes: [start, tag('a'), delay] })).toEqual([])
    const until = { id: 'b', type: 'delay', data: { until: '2020-01-01T00:00:00Z' } }
    expect(listViolations({ ...loop, nodes: [start, tag('a'), until] })).toEqual([
      'nodes[1] loop_without_wait',
    ])
    const jump = { id: 'b', type: 'jump', data: { to: 'a', max: 3 } }
    expect(
      listViolations({ nodes: [start, tag('a'), jump], edges: [edge('s', 'a'), edge('a', 'b')] }),
    ).toEqual([])
  })

  test('a deep definition is checked fast', () => {
    const nodes = [start, ...Array.from({ length: 499 }, (_, i) => tag(`n${i}`))]
    const edges = nodes.slice(1).map((node, i) => edge(nodes[i]!.id, node.id))
    expect(listViolations({ nodes, edges })).toEqual([])
    const back = [...edges, edge(nodes.at(-1)!.id, 'n0')]
    expect(listViolations({ nodes, edges: back })).toEqual(['nodes[1] loop_without_wait'])
  })
})

describe('data of nodes', () => {
  test.each<[string, object, string[]]>([
    ['teleport', {}, ['nodes[1].type unknown_type']],
    ['sendMessage', {}, ['nodes[1].data.content required']],
    ['sendMessage', { content: text('Hi {{contact.name | default: "you"}}') }, []],
    [
      'sendMessage',
      { content: text('Hi {{contact.name') },
      ['nodes[1].data.content.text.body invalid_place'],
    ],
    ['sendMessage', { content: text('{{process.env}}') }, ['nodes[1].data.content.text.body unknown_value']],
    ['sendMessage', { content: text('x'), colour: 1 }, ['nodes[1].data.colour unknown_property']],
    ['ask', { content: text('?'), variable: '1x' }, ['nodes[1].data.variable invalid_format']],
    ['ask', { content: text('?'), variable: 'x', validate: 'regex' }, ['nodes[1].data.pattern required']],
    [
      'ask',
      { content: text('?'), variable: 'x', validate: 'regex', pattern: '(a' },
      ['nodes[1].data.pattern invalid_pattern'],
    ],
    [
      'ask',
      { content: text('?'), variable: 'x', validate: 'regex', pattern: '^(?=a)' },
      ['nodes[1].data.pattern invalid_pattern'],
    ],
    ['ask', { content: text('?'), variable: 'x', choices: ['a'] }, ['nodes[1].data.choices unexpected']],
    [
      'ask',
      { content: text('?'), variable: 'x', timeout: { hours: 1, days: 1 } },
      ['nodes[1].data.timeout too_many'],
    ],
    ['ask', { content: text('?'), variable: 'x', timeout: {} }, ['nodes[1].data.timeout too_few']],
    ['menu', { content: text('?'), options: [] }, ['nodes[1].data.options too_few']],
    [
      'menu',
      { content: text('?'), options: [{ id: 'other', title: 'x' }] },
      ['nodes[1].data.options[0].id duplicate'],
    ],
    [
      'menu',
      {
        content: text('?'),
        options: [
          { id: 'a', title: 'My  order' },
          { id: 'b', title: 'my order' },
          { id: 'c', title: 'x'.repeat(21) },
          { id: 'd', title: 'x{{contact.name}}xxxxxxxxxxxxxxxxxxxx' },
        ],
      },
      ['nodes[1].data.options[1].title duplicate', 'nodes[1].data.options[2].title too_long'],
    ],
    ['delay', {}, ['nodes[1].data.for required']],
    ['delay', { for: { days: 1 }, until: '2030-01-01' }, ['nodes[1].data.until conflict']],
    ['delay', { for: { days: 731 } }, ['nodes[1].data.for.days too_large']],
    ['delay', { until: 'tomorrow' }, ['nodes[1].data.until invalid_format']],
    ['delay', { until: '2030-01-01', timezone: 'Mars/Base' }, ['nodes[1].data.timezone unknown_timezone']],
    ['timeWindow', { from: '9:00', to: '17:00' }, ['nodes[1].data.from invalid_format']],
    ['timeWindow', { days: ['mon'], from: '09:00', to: '17:00', timezone: 'Europe/Madrid' }, []],
    ['waitFor', { cases: [{}] }, ['nodes[1].data.cases[0].event required']],
    [
      'waitFor',
      { cases: [{ event: 'a', condition: 'true' }] },
      ['nodes[1].data.cases[0].condition conflict'],
    ],
    ['waitFor', { cases: [{ condition: 'true', key: 'x' }] }, ['nodes[1].data.cases[0].key unexpected']],
    ['branch', { cases: ['contact.name =='] }, ['nodes[1].data.cases[0] invalid_expression']],
    [
      'branch',
      { cases: [{ id: 'a', expression: '1 +' }] },
      ['nodes[1].data.cases[0].expression invalid_expression'],
    ],
    ['branch', { cases: [{ id: 'else', expression: 'true' }] }, ['nodes[1].data.cases[0].id duplicate']],
    [
      'branch',
      { cases: [{ match: 'all', conditions: [{ type: 'nope' }] }] },
      ['nodes[1].data.cases[0].conditions[0].type invalid_value'],
    ],
    [
      'branch',
      { cases: [{ id: 'a', filter: { match: 'all', conditions: [{ type: 'hasAnyTag' }] } }] },
      ['nodes[1].data.cases[0].filter.conditions[0].tagIds required'],
    ],
    ['branch', { cases: [{ id: 'a', filter: { match: 'all', conditions: [] } }, 'true'] }, []],
    ['split', { weights: { a: 0, b: 0 } }, ['nodes[1].data.weights invalid_value']],
    ['split', { weights: [1, 2] }, []],
    ['split', { weights: { a: 1 } }, ['nodes[1].data.weights too_few']],
    ['setVariable', { name: 'x' }, ['nodes[1].data.value required']],
    ['setVariable', { name: 'x', expression: '1 + ' }, ['nodes[1].data.expression invalid_expression']],
    ['setOptOut', { channel: 'pigeon', optedOut: true }, ['nodes[1].data.channel invalid_value']],
    ['assign', {}, ['nodes[1].data.userId required']],
    ['assign', { strategy: 'roundRobin', userId: 'u' }, ['nodes[1].data.userId conflict']],
    ['http', { method: 'GET', url: 'ftp://x' }, ['nodes[1].data.url invalid_url']],
    ['http', { method: 'GET', url: 'https://x.example', body: 'x' }, ['nodes[1].data.body unexpected']],
    [
      'http',
      { method: 'POST', url: 'https://x.example', headers: { Host: 'y' } },
      ['nodes[1].data.headers.Host invalid_header'],
    ],
    ['jump', { to: 'nowhere' }, ['nodes[1].data.to unknown_node']],
    ['jump', { to: 's', max: 0 }, ['nodes[1].data.max too_small']],
    ['end', { why: 'x' }, ['nodes[1].data.why unknown_property']],
  ])('%s %j', (type, data, faults) => {
    expect(listViolations(line([type, data]))).toEqual(faults)
  })

  test('data of triggers', () => {
    const by = (triggerConfig: unknown, kind: 'journey' | 'chatbot' = 'journey') =>
      listViolations({ nodes: [{ ...start, data: triggerConfig ? { triggerConfig } : {} }], edges: [] }, kind)
    expect(by(undefined)).toEqual(['nodes[0].data.triggerConfig required'])
    expect(by(undefined, 'chatbot')).toEqual([])
    expect(by({ type: 'full_moon' })).toEqual(['nodes[0].data.triggerConfig.type unknown_trigger'])
    expect(by({ type: 'contact_created' }, 'chatbot')).toEqual([
      'nodes[0].data.triggerConfig.type wrong_workflow',
    ])
    expect(by({ type: 'tag_added' })).toEqual(['nodes[0].data.triggerConfig.tagIds required'])
    expect(by({ type: 'manual', conditions: { match: 'all' } })).toEqual([
      'nodes[0].data.triggerConfig.conditions.conditions required',
    ])
    expect(by({ type: 'manual', conditions: {}, colour: 1 })).toEqual([
      'nodes[0].data.triggerConfig.colour unknown_property',
    ])
  })
})

describe('references', () => {
  const at = 'definition.nodes[1].data'

  test('400 with all missing references', async () => {
    const { owner } = await api.workspace()
    const definition = line(
      ['addTag', { tagId: 'tag_no' }],
      ['setField', { fieldId: 'cf_no', value: 'x' }],
      ['sendMessage', { content: text('x'), inboxId: 'ibx_no' }],
      ['assign', { userId: 'usr_no' }],
      ['handoff', { teamId: 'team_no' }],
      ['callWorkflow', { journeyId: 'jrn_no' }],
      ['sendMessage', { content: { type: 'media', media: { mediaId: 'mda_no' } } }],
      ['branch', { cases: [{ match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: ['tag_no'] }] }] }],
      ['http', { method: 'GET', url: 'http://10.0.0.1/' }],
    )
    const conditions = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: ['tag_no'] }] }
    definition.nodes[0] = {
      ...start,
      data: { triggerConfig: { type: 'segment_entered', segmentId: 'seg_no', conditions } },
    } as never
    const { status, faults } = await publish(owner, definition)
    expect(status).toBe(400)
    expect(faults.sort()).toEqual(
      [
        'definition.nodes[0].data.triggerConfig.segmentId unknown_segment',
        'definition.nodes[0].data.triggerConfig.conditions.conditions[0].tagIds[0] unknown_tag',
        'definition.nodes[1].data.tagId unknown_tag',
        'definition.nodes[2].data.fieldId unknown_custom_field',
        'definition.nodes[3].data.inboxId unknown_inbox',
        'definition.nodes[4].data.userId unknown_user',
        'definition.nodes[5].data.teamId unknown_team',
        'definition.nodes[6].data.journeyId unknown_journey',
        'definition.nodes[7].data.content.media.mediaId unknown_media',
        'definition.nodes[8].data.cases[0].conditions[0].tagIds[0] unknown_tag',
        'definition.nodes[9].data.url forbidden_address',
      ].sort(),
    )
  })

  test('200 if all references exist; 400 after deletion, and in another workspace', async () => {
    const [{ owner, teamId }, other] = [await api.workspace(), await api.workspace()]
    const tag = (await owner.post('/tags', { name: 'VIP' })).body.id
    const field = (await owner.post('/contacts/custom-fields', { name: 'born', type: 'date' })).body.id
    const definition = line(
      ['addTag', { tagId: tag }],
      ['delay', { field }],
      ['setField', { fieldId: field, value: '{{event.data.day}}' }],
      ['assign', { strategy: 'roundRobin', teamId }],
      ['assign', { userId: owner.id }],
    )
    expect(await publish(owner, definition)).toEqual({ status: 200, faults: [] })
    expect((await publish(other.owner, definition)).faults).toHaveLength(5)
    const plan = (await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })).body.id
    expect(await publish(owner, line(['delay', { field: plan }]))).toMatchObject({
      faults: [`${at}.field wrong_field_type`],
    })
    await owner.delete(`/tags/${tag}`)
    expect(await publish(owner, definition)).toMatchObject({ faults: [`${at}.tagId unknown_tag`] })
  })

  const inboxOf = async ({ owner }: Workspace, channel: 'chatapp' | 'socialapp') => {
    const resourceIds = [`account-${Math.random()}`]
    const phoneNumberIds = [`number-${Math.random()}`]
    const body =
      channel === 'chatapp' ? { chatapp: { resourceIds, phoneNumberIds } } : { socialapp: { resourceIds } }
    return (await owner.post('/inboxes', body)).body.inboxes[0].id as string
  }
  const template = (name: string, parameters?: string[]) => ({
    type: 'template',
    template: {
      name,
      language: 'en_US',
      ...(parameters
        ? { components: [{ type: 'body', parameters: parameters.map(one => ({ type: 'text', text: one })) }] }
        : {}),
    },
  })

  test('400 unless templates are approved and filled and the channel supports the content', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const send = (content: object, inboxId?: string) =>
      publish(owner, line(['sendMessage', { content, ...(inboxId ? { inboxId } : {}) }]))
    expect(await send(template('hello_world'))).toMatchObject({
      faults: [`${at}.content.template.name template_unknown`],
    })
    const inboxId = await inboxOf(workspace, 'chatapp')
    expect(await send(template('hello_world'))).toEqual({ status: 200, faults: [] })
    expect(await send(template('hello_world'), inboxId)).toEqual({ status: 200, faults: [] })
    expect(await send(template('not_there'), inboxId)).toMatchObject({
      faults: [`${at}.content.template.name template_unknown`],
    })
    const listed = (await owner.get(`/inboxes/${inboxId}/chatapp/templates`)).body.templates as {
      name: string
      status: string
      components: { type: string; text?: string }[]
    }[]
    const pending = listed.find(one => one.status === 'PENDING')
    if (pending)
      expect((await send(template(pending.name), inboxId)).faults).toEqual([
        `${at}.content.template.name template_not_approved`,
      ])
    const withPlace = listed.find(
      one =>
        one.status === 'APPROVED' &&
        one.components.some(part => part.type === 'BODY' && part.text?.includes('{{1}}')),
    )!
    expect((await send(template(withPlace.name), inboxId)).faults).toContain(
      `${at}.content.template.components missing_parameter`,
    )
    const form = (flowId: string) => ({
      type: 'rich',
      rich: { body: { text: 'Rate us' }, actions: [{ type: 'flow', title: 'Open', flowId }] },
    })
    const [flow] = (await owner.get(`/inboxes/${inboxId}/chatapp/flows`)).body.flows
    expect(await send(form(flow.id))).toEqual({ status: 200, faults: [] })
    for (const on of [inboxId, undefined])
      expect((await send(form('123'), on)).faults).toEqual([
        `${at}.content.rich.actions[0].flowId flow_unknown`,
      ])
    expect((await send({ type: 'text', text: { body: '\u200b \u2060' } })).faults).toEqual([
      `${at}.content.text.body blank`,
    ])
    const social = await inboxOf(workspace, 'socialapp')
    expect((await send(template('hello_world'), social)).faults).toEqual([
      `${at}.content.type content_unsupported`,
    ])
  })

  test('400 for an unknown campaign of a trigger', async () => {
    const { owner } = await api.workspace()
    const by = (campaignId: string) =>
      publish(owner, {
        nodes: [{ ...start, data: { triggerConfig: { type: 'campaign_replied', campaignId } } }],
        edges: [],
      })
    const field = 'definition.nodes[0].data.triggerConfig.campaignId'
    expect(await by('cmp_no')).toEqual({ status: 400, faults: [`${field} unknown_campaign`] })
    const campaign = (await owner.post('/campaigns', { name: 'Spring' })).body.id
    expect(await by(campaign)).toEqual({ status: 200, faults: [] })
  })

  test('media of a published definition is marked as used', async () => {
    const { owner, tenantId } = await api.workspace()
    const form = new FormData()
    form.append('file', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt')
    const uploaded = await fetch(`${api.url}/v1/media/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      body: form,
    })
    const { mediaId: media } = (await uploaded.json()) as { mediaId: string }
    const content = { type: 'media', media: { mediaId: media } }
    expect(await publish(owner, line(['sendMessage', { content }]))).toEqual({ status: 200, faults: [] })
    const row = await api.deps.db.one(
      sql`select used from media where tenant_id = ${tenantId} and id = ${media}`,
    )
    expect(row).toEqual({ used: true })
  })
})
