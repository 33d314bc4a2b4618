/**
 * Runs the same flow of three steps (set, branch, tag) in Parley, n8n and Node-RED, each run started by one HTTP request,
 * on one machine and one database server, until every run has finished and is persisted. RUNS and N8N_RUNS set the
 * numbers. Install the others with `npm install --prefix bench/peers`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { report } from '../support/environment.ts'
import { type LoadResult, put } from './loads.ts'
import { startN8n } from './n8n.ts'
import { startNodeRed } from './node-red.ts'
import { type ParleyPeer, startParley } from './parley.ts'
import { installed } from './peer.ts'
import { ask, counting, openServer, type Server } from './server.ts'

const runs = Number(process.env.RUNS ?? 5_000)
const connections = 32

interface Flow {
  /** Starts this many runs, numbered from `from`. */
  start(from: number, count: number): Promise<LoadResult>
  /** Number of runs finished since the start. */
  finished(): Promise<number>
}

/** Returns runs per second from the first request to the last persisted run, after an equal warm-up. */
async function measureRate({ start, finished }: Flow, count: number): Promise<number> {
  const until = async (wanted: number) => {
    while ((await finished()) < wanted) await sleep(100)
  }
  const warm = Math.ceil(count / 5)
  await start(0, warm)
  await until(warm)
  const { beganAt } = await start(warm, count)
  await until(warm + count)
  return (count * 1_000) / (Date.now() - beganAt)
}

async function addPeople(server: Server, tenantId: string, count: number): Promise<void> {
  const range = `generate_series(0, ${count}) as i`
  const id = `'con_' || lpad(i::text, 26, '0')`
  await ask(
    server.own,
    `insert into contacts (tenant_id, id, name, sort_name, search, created_at)
     select $1, ${id}, 'Person ' || i, 'person ' || i, '', now() from ${range}`,
    [tenantId],
  )
  await ask(
    server.own,
    `insert into contact_activity (tenant_id, contact_id, updated_at) select $1, ${id}, now() from ${range}`,
    [tenantId],
  )
  await ask(server.own, 'analyze')
}

async function ourFlow(server: Server, ours: ParleyPeer): Promise<Flow & { close(): Promise<void> }> {
  const { id: tagId } = await ours.call<{ id: string }>('POST', '/tags', { name: 'Bought' })
  const trigger = { triggerConfig: { type: 'event', name: 'order' }, entryMode: 'every_time' }
  const nodes = [
    { id: 'start', type: 'start', data: trigger },
    { id: 'set', type: 'setVariable', data: { name: 'total', value: '{{event.data.total}}' } },
    { id: 'branch', type: 'branch', data: { cases: ['variables.total == "10"'] } },
    { id: 'tag', type: 'addTag', data: { tagId } },
  ]
  const edges = [
    { id: 'a', source: 'start', target: 'set' },
    { id: 'b', source: 'set', target: 'branch' },
    { id: 'c', source: 'branch', target: 'tag', sourceHandle: '0' },
  ]
  const { id } = await ours.call<{ id: string }>('POST', '/journeys', {
    name: 'Three steps',
    definition: { nodes, edges },
  })
  await ours.call('POST', `/journeys/${id}/publish`, {})
  await ours.call('POST', `/journeys/${id}/activate`, {})
  await addPeople(server, ours.tenantId, Math.ceil(runs * 1.2))
  const body = JSON.stringify({ name: 'order', contactId: 'con_{n}', data: { total: '10' } })
  const done = await counting(
    server.own,
    `select count(*)::int as n from workflow_runs where status = 'completed'`,
  )
  return {
    start: (from, count) =>
      put({ ...ours, method: 'POST', path: '/v1/events', body, connections, from, count }),
    finished: done.count,
    close: done.close,
  }
}

const [n8nVersion, nodeRedVersion] = [installed('n8n'), installed('node-red')]
if (!n8nVersion && !nodeRedVersion) process.exit()
const server = await openServer()
try {
  const ours = await startParley(server)
  const flow = await ourFlow(server, ours)
  const rate = await measureRate(flow, runs)
  await flow.close()
  await ours.stop()
  const beside = (name: string, limit: number, wanted: string) =>
    report({ name, unit: 'runs/s', value: rate, limit, ratio: rate / limit, wanted })
  for (const saving of n8nVersion ? (['run', 'step'] as const) : []) {
    const n8n = await startN8n(server, saving)
    const limit = await measureRate(n8n, Number(process.env.N8N_RUNS ?? 400))
    await n8n.stop()
    beside(`three-step runs, against n8n ${n8nVersion} saving each ${saving}`, limit, '≥ 20')
  }
  if (nodeRedVersion) {
    const nodeRed = await startNodeRed(server)
    const limit = await measureRate(nodeRed, runs)
    await nodeRed.stop()
    beside(`three-step runs, against Node-RED ${nodeRedVersion}, which keeps nothing`, limit, '')
  }
} finally {
  await server.close()
}
