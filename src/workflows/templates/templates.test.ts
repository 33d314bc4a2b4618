/** Creates a workflow from every template in every language, simulates its cases, and publishes it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { testApi, type Workspace } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import type { Simulation } from '../simulation/schemas.ts'
import { connectInbox, expectStatus } from '../testing/fixtures.ts'
import { toSimulationRequest, toTranscript } from '../testing/transcripts.ts'
import { templates } from './registry.ts'
import type { WorkflowTemplate } from './schemas.ts'
import { templateLanguages } from './template.ts'

const api = await testApi()
await playProviders(api)

const list = async ({ owner }: Workspace, query = ''): Promise<WorkflowTemplate[]> =>
  (await expectStatus(owner.get(`/workflow-templates${query}`), 200)).templates

/** Creates what the template suggests; other parameters have their defaults. */
const suggest = ({ parameters }: WorkflowTemplate) =>
  Object.fromEntries(
    parameters
      .filter(({ required }) => required)
      .map(({ name, suggestedName }) => [name, { create: suggestedName }]),
  )

/** Returns the steps by which the run left a node. */
const listOutputs = ({ path }: Simulation) =>
  path.flatMap(({ nodeId, output }) => (output === null ? [] : [`${nodeId}:${output}`]))

let runs = 0

const find = (items: readonly WorkflowTemplate[], id: string) => items.find(item => item.id === id)!

test('there are twelve templates with different ids, each with a case', () => {
  expect(new Set(templates.map(({ id }) => id)).size).toBe(12)
  for (const { id, cases } of templates) expect(Object.keys(cases).length, id).toBeGreaterThan(0)
})

describe.each(templateLanguages)('in %s', locale => {
  let workspace: Workspace
  let listed: WorkflowTemplate[]
  beforeAll(async () => {
    workspace = await api.workspace()
    await connectInbox(workspace.owner, `71${templateLanguages.indexOf(locale)}9`)
    listed = await list(workspace, `?locale=${locale}`)
  })

  test.each(templates.map(template => [template.id, template] as const))('%s', async (id, template) => {
    const { owner } = workspace
    const { kind, cases, texts } = template
    const { transcripts, name } = texts[locale]
    expect(Object.keys(transcripts).sort()).toEqual(Object.keys(cases).sort())
    const view = find(listed, id)
    // Tags and fields of other templates and of other runs may have the same name.
    const wanted = suggest(view)
    const run = ++runs
    for (const value of Object.values(wanted)) value.create = `${value.create} ${id} ${run}`
    const body = { templateId: id, locale, parameters: wanted }
    const created = await expectStatus(owner.post(`/${kind}s/from-template`, body), 201)
    expect(created).toMatchObject({ name, status: 'draft', revision: 1 })
    const path = `/${kind}s/${created.id}`
    const ids = await listIds(workspace, wanted)
    expect(Object.keys(cases).length).toBeGreaterThan(0)
    for (const [caseName, { given, path: expected }] of Object.entries(cases)) {
      const request = {
        contact: { name: 'Ann' },
        window: 'open' as const,
        ...toSimulationRequest(transcripts[caseName]!),
        ...given?.(ids),
      }
      const simulated: Simulation = await expectStatus(owner.post(`${path}/simulate`, request), 200)
      expect(simulated, caseName).toMatchObject({ entered: true, status: 'completed', error: null })
      expect(listOutputs(simulated), caseName).toEqual(expected)
      expect(toTranscript(request, simulated), caseName).toEqual(transcripts[caseName])
    }
    const [first] = Object.values(transcripts)
    expect(view.preview.map(({ text }) => text)).toEqual(
      first!.map(line => ('text' in line ? line.text : undefined)),
    )
    await expectStatus(owner.post(`${path}/publish`), 200)
    expect((await expectStatus(owner.post(`${path}/activate`), 200)).status).toBe('active')
    await expectStatus(owner.post(`${path}/pause`), 200)
  })
})

test('a rating is stored in the words that the customer chose', async () => {
  const { owner } = await api.workspace()
  await connectInbox(owner, '7131')
  const parameters = { field: { create: 'Bewertung' } }
  const body = { templateId: 'feedback', locale: 'de', parameters }
  const { id } = await expectStatus(owner.post('/journeys/from-template', body), 201)
  const stored = async (replyId: string) => {
    const inputs = [{ afterSeconds: 3_600 }, { replyId }]
    const request = { contact: { name: 'Ann' }, window: 'open', inputs }
    const { effects } = (await expectStatus(
      owner.post(`/journeys/${id}/simulate`, request),
      200,
    )) as Simulation
    return effects.filter(({ effect }) => effect === 'setField').map(({ input }) => input[1])
  }
  expect(await stored('good')).toEqual(['Gut'])
  expect(await stored('okay')).toEqual(['Geht so'])
  expect(await stored('bad')).toEqual(['Schlecht'])
})

/** Returns the ids of the created resources by parameter. */
async function listIds({ owner }: Workspace, wanted: Record<string, { create: string | undefined }>) {
  const { tags } = await expectStatus(owner.get('/tags'), 200)
  return Object.fromEntries(
    Object.entries(wanted).map(([name, { create }]) => [
      name,
      tags.find((tag: { name: string }) => tag.name === create)?.id,
    ]),
  )
}

describe('parameters', () => {
  const create = ({ owner }: Pick<Workspace, 'owner'>, body: object) =>
    owner.post('/journeys/from-template', body)

  test('existing resources are referenced, and texts are part of the messages', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const inboxId = await connectInbox(owner, '7130')
    const tag = (await expectStatus(owner.post('/tags', { name: 'Gold' }), 201)).id
    const welcome = {
      templateId: 'welcome',
      name: 'Hi',
      parameters: { company: 'Harbor Lights', inbox: inboxId },
    }
    const { name, definition } = await expectStatus(create(workspace, welcome), 201)
    expect(name).toBe('Hi')
    expect(definition.nodes[1].data).toMatchObject({
      inboxId,
      content: { text: { body: expect.stringContaining('welcome to Harbor Lights!') } },
    })
    const vip = await expectStatus(create(workspace, { templateId: 'vip', parameters: { tag } }), 201)
    expect(JSON.stringify(vip.definition)).toContain(tag)
    expect((await owner.get('/tags')).body.tags).toHaveLength(1)
  })

  test('the language is that of the workspace', async () => {
    const workspace = await api.workspace()
    expect(find(await list(workspace), 'welcome').name).toBe('Welcome')
    await expectStatus(workspace.owner.patch('/workspace', { locale: 'de-CH' }), 200)
    expect(find(await list(workspace), 'welcome').name).toBe('Willkommen')
    const { name } = await expectStatus(create(workspace, { templateId: 'welcome' }), 201)
    expect(name).toBe('Willkommen')
    await expectStatus(workspace.owner.patch('/workspace', { locale: 'fr' }), 200)
    expect(find(await list(workspace), 'welcome').name).toBe('Welcome')
    const chatbots = await list(workspace, '?kind=chatbot&locale=de')
    expect(new Set(chatbots.map(({ kind }) => kind))).toEqual(new Set(['chatbot']))
  })

  test.each([
    [{ templateId: 'none' }, 'templateId', 'unknown_workflow_template'],
    [{ templateId: 'menu' }, 'templateId', 'unknown_workflow_template'],
    [{ templateId: 'vip' }, 'parameters.tag', 'required'],
    [{ templateId: 'vip', parameters: { tag: 'tag_none' } }, 'parameters.tag', 'unknown_tag'],
    [{ templateId: 'welcome', parameters: { inbox: 'x' } }, 'parameters.inbox', 'unknown_inbox'],
    [{ templateId: 'welcome', parameters: { inbox: { create: 'x' } } }, 'parameters.inbox', 'invalid_value'],
    [{ templateId: 'birthday', parameters: { field: 'cf_email' } }, 'parameters.field', 'wrong_field_type'],
    [{ templateId: 'welcome', parameters: { other: 'x' } }, 'parameters.other', 'unknown_property'],
    [
      { templateId: 'welcome', parameters: { constructor: 'x' } },
      'parameters.constructor',
      'unknown_property',
    ],
    [{ templateId: 'welcome', parameters: { company: '{{x' } }, 'parameters.company', 'invalid_value'],
    [{ templateId: 'welcome', parameters: { company: 'x'.repeat(81) } }, 'parameters.company', 'too_long'],
    [{ templateId: 'welcome', locale: 'fr' }, 'locale', 'invalid_value'],
  ])('400 for %j', async (body, field, code) => {
    const workspace = await api.workspace()
    const answer = await create(workspace, body)
    expect(answer.status).toBe(400)
    expect(answer.body.violations).toEqual([{ field, code, message: expect.any(String) }])
    expect((await workspace.owner.get('/journeys')).body.journeys).toEqual([])
  })

  test('409 for a name that is taken creates nothing', async () => {
    const workspace = await api.workspace()
    await expectStatus(workspace.owner.post('/tags', { name: 'vip' }), 201)
    const body = { templateId: 'vip', parameters: { tag: { create: 'VIP' } } }
    expect((await create(workspace, body)).body).toMatchObject({ status: 409, code: 'tag_name_taken' })
    expect((await workspace.owner.get('/journeys')).body.totalSize).toBe(0)
  })

  test('403 without the scope of a resource to create; agents cannot create segments', async () => {
    const workspace = await api.workspace()
    const tag = { create: 'Win back' }
    const vip = { templateId: 'vip', parameters: { tag } }
    const narrow = await workspace.key({ scopes: ['journey:create', 'journey:list'] })
    expect((await create({ owner: narrow }, vip)).body).toMatchObject({
      status: 403,
      code: 'auth_scope_missing',
    })
    await expectStatus(create({ owner: narrow }, { templateId: 'welcome' }), 201)
    const blind = await workspace.key({ scopes: ['journey:list'] })
    expect((await create({ owner: blind }, { templateId: 'welcome' })).status).toBe(403)
    const agent = await workspace.user('agent')
    await expectStatus(create({ owner: agent }, vip), 201)
    const segment = { create: 'Silent' }
    const request = { templateId: 're_engagement', parameters: { segment, tag: { create: 'Silent' } } }
    expect((await create({ owner: agent }, request)).status).toBe(403)
    expect((await workspace.owner.get('/segments')).body.items).toEqual([])
  })
})
