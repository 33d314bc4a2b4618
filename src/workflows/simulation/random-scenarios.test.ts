/**
 * Random workflows with random inputs: a live run, on a clock that the test moves, takes the steps that its simulation has
 * shown, and the customer gets the simulated messages. FULL=1 plays as many scenarios as fit in ten minutes, at most 300;
 * RANDOM_SEED and RANDOM_PATH repeat a failed one.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { timerSet } from '../events.ts'
import { connectInbox, expectStatus, type Run } from '../testing/fixtures.ts'
import { bind, type Scenario, type ScenarioInput, scenario } from '../testing/random-scenarios.ts'

const full = process.env.FULL === '1'
vi.setConfig({ testTimeout: full ? 720_000 : 90_000 })

const service = await testService({ SANDBOX: 'strict' })
const { clock, db } = service.deps

/**
 * Responds with the status in the path, or not at all; the path begins with the workspace. Events that the run caused before
 * its request are handled before it gets the response, as in a simulation: live, the two race.
 */
const server = createServer(async (request, response) => {
  const [, tenantId, outcome] = request.url!.split('/')
  if (outcome === 'timeout') return
  await until(
    () => countUnhandledEvents(tenantId!),
    ({ n }) => n === 0,
  )
  response.writeHead(Number(outcome), { 'content-type': 'application/json' }).end('{"n":7}')
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

interface Workspace {
  owner: Client
  tenantId: string
  inboxId: string
  contactId: string
  phone: string
}

async function createWorkspace({
  unreachable,
}: Scenario): Promise<Workspace & { ids: Record<string, string> }> {
  const workspace = await service.workspace()
  const owner = await workspace.key()
  const inboxId = await connectInbox(owner, '7402')
  const { id: TAG } = await expectStatus(owner.post('/tags', { name: 'VIP' }), 201)
  const { id: FIELD } = await expectStatus(
    owner.post('/contacts/custom-fields', { name: 'City', type: 'text' }),
    201,
  )
  const phone = unreachable ? '+15005550010' : '+14155550188'
  const { id: contactId } = await expectStatus(owner.post('/contacts', { name: 'Ann', phone }), 201)
  return {
    owner,
    tenantId: workspace.tenantId,
    inboxId,
    contactId,
    phone,
    ids: { TAG, FIELD, URL: `${url}/${workspace.tenantId}` },
  }
}

const hour = 3_600_000

function advanceTo(time: number): void {
  const away = time - clock.now().getTime()
  if (away > 0) clock.advance(away)
  // A sleeping timer loop does not notice that the test clock jumps.
  db.signals.emit(timerSet, clock.now().toISOString())
}

const unhandledEvents = (tenantId: string) => sql`
  (select count(*) from outbox where tenant_id = ${tenantId}) + (select count(*) from event_consumer_queue
    where tenant_id = ${tenantId} and consumer = 'workflows.engine' and processed_seq < latest_seq)`
const countUnhandledEvents = (tenantId: string) =>
  db.one<{ n: number }>(sql`select ${unhandledEvents(tenantId)} as n`)

/** Waits until the service is idle: no job, event, unreported delivery or timer is left. */
function settle({ tenantId }: Workspace): Promise<unknown> {
  const horizon = () => new Date(clock.now().getTime() + 5_000).toISOString()
  return until(
    () =>
      db.one<{ n: number }>(sql`
        select ${unhandledEvents(tenantId)}
          + (select count(*) from job_lanes where tenant_id = ${tenantId} and (state <> 'scheduled' or at < ${horizon()}))
          + (select count(*) from messages where tenant_id = ${tenantId} and status in ('pending', 'sent'))
          + (select count(*) from workflow_runs where tenant_id = ${tenantId} and (status = 'running' or wake_at < ${horizon()}
              or wait->>'http' is not null or wait->>'delivery' is not null)) as n`),
    ({ n }) => n === 0,
  )
}

async function receive(
  workspace: Workspace,
  { message, replyId, media, quotes }: Omit<ScenarioInput, 'afterSeconds'>,
): Promise<void> {
  const { owner, tenantId, inboxId, phone } = workspace
  const content = replyId
    ? { type: 'reply', reply: { id: replyId, title: message } }
    : media
      ? { type: 'media', media: { kind: 'image', ...(message ? { caption: message } : {}) } }
      : { type: 'text', text: { body: message } }
  const { items } = await expectStatus(owner.get(`/sandbox/sent?inboxId=${inboxId}`), 200)
  const replyTo = quotes && items.length > 0 ? { replyTo: items.at(-1).providerMessageId } : {}
  const countReceived = () =>
    db.one<{ n: number }>(
      sql`select count(*) as n from messages where tenant_id = ${tenantId} and direction = 'in'`,
    )
  const before = await countReceived()
  await expectStatus(owner.post('/sandbox/inbound', { inboxId, from: phone, content, ...replyTo }), 202)
  await until(countReceived, ({ n }) => n > before.n)
}

async function applyFacts(
  { owner, contactId }: Workspace,
  { tagIds = [], customFields, optOuts = [] }: Scenario['facts'],
): Promise<void> {
  for (const tagId of tagIds) await expectStatus(owner.post(`/contacts/${contactId}/tags/${tagId}`), 204)
  if (customFields) await expectStatus(owner.patch(`/contacts/${contactId}`, { customFields }), 200)
  for (const channel of optOuts)
    await expectStatus(owner.put(`/contacts/${contactId}/opt-outs/${channel}`), 204)
}

async function applyInput(workspace: Workspace, input: ScenarioInput): Promise<void> {
  const { owner, contactId } = workspace
  if (input.event) await expectStatus(owner.post('/events', { ...input.event, contactId }), 202)
  else if (input.message !== undefined || input.media) await receive(workspace, input)
  await applyFacts(workspace, input)
}

/** Starts the live run and returns its id, or undefined if the contact does not enter. */
async function startLive(
  workspace: Workspace,
  path: string,
  { entry }: Scenario,
): Promise<string | undefined> {
  const { owner, contactId } = workspace
  if (entry.message !== undefined) await receive(workspace, entry)
  else if (entry.event) await expectStatus(owner.post('/events', { ...entry.event, contactId }), 202)
  else await expectStatus(owner.post(`${path}/runs`, { contactId }), 201)
  await settle(workspace)
  return (await expectStatus(owner.get(`/runs?contactId=${contactId}`), 200)).runs.at(-1)?.id
}

const maxSteps = 25

/** Plays the inputs and timers in the order of their times until the run has ended or has taken enough steps. */
async function playLive(
  workspace: Workspace,
  runId: string,
  inputs: ScenarioInput[],
  startedAt: number,
): Promise<Run> {
  let lastInputAt = startedAt
  const remaining = [...inputs]
  for (;;) {
    await settle(workspace)
    const run = await expectStatus(workspace.owner.get(`/runs/${runId}`), 200)
    const until =
      run.waitingFor?.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(run.waitingFor.until)
    const inputAt = remaining[0] ? lastInputAt + remaining[0].afterSeconds * 1_000 : Number.POSITIVE_INFINITY
    const isOver = Math.min(until, inputAt) === Number.POSITIVE_INFINITY
    if (run.status !== 'waiting' || isOver || toSteps(run.path).length >= maxSteps) return run
    advanceTo(Math.min(until, inputAt))
    if (inputAt < until) {
      lastInputAt = inputAt
      await applyInput(workspace, remaining.shift()!)
    }
  }
}

const ids = /\b[a-z]{3}_[0-9a-z]{26}\b/g
const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const mask = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value ?? null)
      .replaceAll(ids, 'id')
      .replaceAll(times, 'time'),
  )

/** Steps without ids and times. Whether a run sees that its message was sent, before it was delivered, is left to chance. */
function toSteps(path: Run[]): unknown[] {
  return path
    .filter(step => step.outcome !== 'wait' || step.input.type !== 'delivery')
    .map(({ nodeId, input, outcome, output, detail }) => ({
      nodeId,
      input: mask(input.type === 'response' ? input.type : input),
      outcome,
      output,
      detail: mask(detail),
    }))
}

async function compare(given: Scenario): Promise<void> {
  played++
  const workspace = await createWorkspace(given)
  const bound = bind(given, workspace.ids)
  const { owner, contactId, inboxId, phone } = workspace
  const kind = bound.kind === 'journey' ? 'journeys' : 'chatbots'
  const draft =
    bound.kind === 'journey' ? { definition: bound.definition } : { draft: bound.definition, teamIds: [] }
  const { id } = await expectStatus(owner.post(`/${kind}`, { name: 'Random', ...draft }), 201)
  const path = `/${kind}/${id}`
  await expectStatus(owner.post(`${path}/publish`), 200)
  await expectStatus(owner.post(`${path}/activate`), 200)
  // Two minutes after the hour: neither inputs nor time windows coincide with the timers of the run.
  advanceTo(Math.ceil(clock.now().getTime() / hour) * hour + hour / 30)
  const nodes = bound.definition.nodes
  const simulated = await expectStatus(
    owner.post(`${path}/simulate`, {
      contactId,
      version: 'published',
      ...bound.entry,
      ...bound.facts,
      inputs: bound.inputs.map(({ quotes: _, ...input }) => input),
      http: Object.fromEntries(
        nodes
          .filter(node => node.type === 'http')
          .map(node => [node.id, toHttpOutcome(String(node.data.url))]),
      ),
      deliveries: given.unreachable
        ? Object.fromEntries(nodes.map(node => [node.id, { failed: 'recipient_unreachable' }]))
        : {},
    }),
    200,
  )
  await applyFacts(workspace, bound.facts)
  const startedAt = clock.now().getTime()
  const runId = await startLive(workspace, path, bound)
  expect(simulated.entered).toBe(runId !== undefined)
  if (runId === undefined) return
  const live = await playLive(workspace, runId, bound.inputs, startedAt)
  report(live)
  const steps = toSteps(live.path)
  expect(toSteps(simulated.path).slice(0, maxSteps)).toEqual(steps.slice(0, maxSteps))
  if (steps.length >= maxSteps) return
  const { status, endReason, variables } = live
  expect(
    mask({ status: simulated.status, endReason: simulated.endReason, variables: simulated.variables }),
  ).toEqual(mask({ status, endReason, variables }))
  const { items } = await expectStatus(
    owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(phone)}`),
    200,
  )
  expect(listSimulatedTexts(simulated)).toEqual(
    items.map(({ payload }: Run) => payload.text?.body ?? payload.interactive?.body?.text),
  )
}

function toHttpOutcome(target: string): object {
  const outcome = target.slice(target.lastIndexOf('/') + 1)
  return outcome === 'timeout' ? { timeout: true } : { status: Number(outcome), body: { n: 7 } }
}

function listSimulatedTexts({ effects }: Run): string[] {
  return effects
    .filter(({ effect, result }: Run) => effect === 'send' && result.messageId)
    .map(({ input }: Run) => input[0].content.text.body)
}

let played = 0

/** Reports progress in the large form. */
function report({ path, status, endReason }: Run): void {
  if (full) process.stderr.write(`scenario ${played}: ${path.length} steps, ${status} ${endReason ?? ''}\n`)
}

test('a random run takes the steps of its simulation', async () => {
  const { RANDOM_SEED: seed, RANDOM_PATH: path } = process.env
  const deadline = Date.now() + (full ? 600_000 : 12_000)
  const property = fc.asyncProperty(scenario, async drawn => {
    if (Date.now() < deadline) await compare(drawn)
  })
  await fc.assert(property, {
    numRuns: full ? 300 : 6,
    endOnFailure: true,
    ...(seed ? { seed: Number(seed) } : {}),
    ...(path ? { path } : {}),
  })
  expect(played).toBeGreaterThan(0)
})
