/** Nodes on the whole service: their effects and the outputs they leave by. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import {
  connectInbox,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listSentTexts,
  newPhone,
  type Run,
  receiveMessage,
  text,
  type WorkflowInput,
} from '../testing/fixtures.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string

beforeEach(async () => {
  workspace = await service.workspace()
  owner = await workspace.key()
  inboxId = await connectInbox(owner, '7301')
})

const advance = (ms: number) => service.deps.clock.advance(ms)
const manual = (nodes: WorkflowInput['nodes'], edges: WorkflowInput['edges']) =>
  createJourney(owner, { trigger: { type: 'manual' }, nodes, edges })

async function start(journeyId: string, contactId: string, data: object = {}): Promise<string> {
  return (await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId, data }), 201)).id
}

const runIs = (id: string, status: string): Promise<Run> =>
  until(
    async () => (await owner.get(`/runs/${id}`)).body,
    run => run.status === status,
  )

async function ended(journeyId: string, contactId: string, data: object = {}): Promise<Run> {
  return runIs(await start(journeyId, contactId, data), 'completed')
}

test('computes variables, sets a field, skips a deleted tag, reaches the goal', async () => {
  const field = (
    await expectStatus(owner.post('/contacts/custom-fields', { name: 'total', type: 'text' }), 201)
  ).id
  const tag = (await expectStatus(owner.post('/tags', { name: 'gone soon' }), 201)).id
  const id = await manual(
    {
      sum: ['setVariable', { name: 'total', expression: 'event.data.price * event.data.quantity' }],
      words: ['setVariable', { name: 'words', value: { total: 'It is {{variables.total}}' } }],
      save: ['setField', { fieldId: field, value: '{{variables.words.total}} for {{contact.name}}' }],
      tag: ['addTag', { tagId: tag }],
      note: ['note', { text: 'Total {{variables.total}}' }],
      goal: ['goal', { name: 'counted' }],
    },
    ['start > sum', 'sum > words', 'words > save', 'save > tag', 'tag > note', 'note > goal'],
  )
  await expectStatus(owner.delete(`/tags/${tag}`), 204)
  const ann = await createContact(owner)
  const run = await ended(id, ann.id, { price: 2.5, quantity: 3 })
  expect(run).toMatchObject({ endReason: 'goal', variables: { total: 7.5, words: { total: 'It is 7.5' } } })
  const detail = (nodeId: string) => run.path.find((line: Run) => line.nodeId === nodeId).detail
  expect(detail('tag')).toEqual({ skipped: 'the tag was deleted' })
  expect(detail('note')).toEqual({ note: 'Total 7.5' })
  expect((await owner.get(`/contacts/${ann.id}`)).body).toMatchObject({
    customFields: { total: 'It is 7.5 for Ann' },
    tagIds: [],
  })
})

test('expression_failed and invalid_value fail the run', async () => {
  const born = (
    await expectStatus(owner.post('/contacts/custom-fields', { name: 'born', type: 'date' }), 201)
  ).id
  const id = await manual({ save: ['setField', { fieldId: born, value: '{{event.data.born}}' }] }, [
    'start > save',
  ])
  const ann = await createContact(owner)
  const bad = await runIs(await start(id, ann.id, { born: 'long ago' }), 'failed')
  expect(bad.error).toMatchObject({
    code: 'invalid_value',
    message: expect.stringContaining('must be a date'),
  })
  const other = await manual({ sum: ['setVariable', { name: 'x', expression: 'event.name + 1' }] }, [
    'start > sum',
  ])
  const failed = await runIs(await start(other, ann.id), 'failed')
  expect(failed.error).toMatchObject({ code: 'expression_failed' })
})

test('split always takes the same output for a contact', async () => {
  const id = await manual({ split: ['split', { weights: { a: 50, b: 50 } }], a: ['end'], b: ['end'] }, [
    'start > split',
    'split:a > a',
    'split:b > b',
  ])
  const people = await Promise.all(Array.from({ length: 6 }, () => createContact(owner)))
  const wayOf = async (contactId: string) => getPath(await ended(id, contactId))[1]!
  const ways = await Promise.all(people.map(one => wayOf(one.id)))
  expect(await Promise.all(people.map(one => wayOf(one.id)))).toEqual(ways)
})

test('timeWindow continues at its hours', async () => {
  const hourNow = service.deps.clock.now().getUTCHours()
  const at = (hour: number) => `${String((hourNow + hour) % 24).padStart(2, '0')}:00`
  const id = await manual({ open: ['timeWindow', { from: at(2), to: at(4) }] }, ['start > open'])
  const ann = await createContact(owner)
  const runId = await start(id, ann.id)
  expect((await runIs(runId, 'waiting')).waitingFor).toMatchObject({
    nodeId: 'open',
    until: expect.stringContaining(`T${at(2)}:00.000Z`),
  })
  advance(2 * 3_600_000)
  await runIs(runId, 'completed')
})

test('sendMessage leaves by failed if the provider rejects it, by optedOut if the contact has opted out', async () => {
  const id = await manual(
    {
      first: ['sendMessage', { content: text('First'), inboxId }],
      bad: ['note', { text: 'failed' }],
      stop: ['setOptOut', { channel: 'chatapp', optedOut: true }],
      second: ['sendMessage', { content: text('Second') }],
      out: ['end'],
    },
    ['start > first', 'first > stop', 'first:failed > bad', 'stop > second', 'second:optedOut > out'],
  )
  for (const fate of ['0010', '0011', '0009']) {
    const phone = `+1500555${fate}`
    const known = (await owner.get(`/contacts?search=${encodeURIComponent(phone)}`)).body.contacts[0]
    const { id: unreachable } = known ?? (await expectStatus(owner.post('/contacts', { phone }), 201))
    expect(getPath(await ended(id, unreachable)).slice(-2), fate).toEqual(['first:failed', 'bad:next'])
  }
  const ann = await createContact(owner)
  expect(getPath(await ended(id, ann.id)).slice(-4)).toEqual([
    'first:next',
    'stop:next',
    'second:optedOut',
    'out:end',
  ])
  expect(await listSentTexts(owner, inboxId, ann.phone)).toEqual(['First'])
})

test('assign by leastBusy and handoff; waitFor continues with the reply of the customer', async () => {
  const teamId = (await expectStatus(owner.post('/teams', { name: 'Sales' }), 201)).id
  const agents = [await workspace.user('agent', [teamId]), await workspace.user('agent', [teamId])]
  const id = await createJourney(owner, {
    trigger: { type: 'message_received', match: 'keyword', values: ['buy'] },
    nodes: {
      give: ['assign', { strategy: 'leastBusy', teamId }],
      wait: ['waitFor', { cases: [{ id: 'answer', event: 'message.received' }], timeout: { days: 1 } }],
      off: ['handoff', { teamId }],
      late: ['end'],
    },
    edges: ['start > give', 'give > wait', 'wait:answer > off', 'wait:timeout > late'],
  })
  const ownerOf = async (phone: string) =>
    (await owner.get(`/conversations?search=${encodeURIComponent(phone)}`)).body.conversations[0]?.activeOwner
  const people = [newPhone(), newPhone()]
  const owners: string[] = []
  for (const phone of people) {
    await receiveMessage(owner, inboxId, phone, 'I want to buy something')
    owners.push(
      (
        await until(
          () => ownerOf(phone),
          one => one?.type === 'user',
        )
      ).id,
    )
  }
  expect(owners.sort()).toEqual(agents.map(one => one.id).sort())
  await receiveMessage(owner, inboxId, people[0]!, 'Hello?')
  await until(
    () => ownerOf(people[0]!),
    one => one?.type === 'team' && one.id === teamId,
  )
  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
})
