/** An import whose process is killed again and again lands exactly as one that nobody disturbed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { bundled } from '../../../test/harness/bundled.ts'
import { withDatabase } from '../../../test/harness/server.ts'
import { sql } from '../../platform/db/sql.ts'
import { listStoredContacts, listStoredEvents, uploadFile, waitForImport } from '../testing/imports.ts'

const api = await testApi()
const directory = path.join(api.deps.config.dataDir, 'blobs')
const { name } = await api.deps.db.one<{ name: string }>(sql`select current_database() as name`)
const connection = withDatabase(inject('server'), name)

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Makes the job ready, so that the next worker can take it over immediately. */
async function ready(): Promise<ChildProcess> {
  const file = bundled(path.join(import.meta.dirname, '../testing/import-worker.ts'))
  const child = fork(file, [JSON.stringify([connection, directory])])
  children.add(child)
  child.once('exit', () => children.delete(child))
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  // The lease of a dead worker ends in seconds; nobody wants to wait for that ten times.
  await api.deps.db.run(
    sql`update job_lanes set at = clock_timestamp() - interval '1 second' where state = 'leased'`,
  )
}

/** `FULL=1`: ten kills; what every run can afford is a few. */
const full = process.env.FULL === '1'
/** The rows that a worker stores before it is killed: nothing yet, or some batches, each in a random order. */
const storedBeforeKill = shuffle(
  full ? [0, 0, 0, 500, 500, 500, 1000, 1000, 1500, 1500] : [0, 500, 1000, 1500],
)
const wantedKills = storedBeforeKill.length
const rows = full ? 30_000 : 12_000
/** One row in ten is wrong, one in twenty repeats an earlier number, and contacts get tags and values. */
function fileOf(): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    if (i % 10 === 3) return `Wrong ${i},12,,`
    const phone = i % 20 === 7 ? 4_000_000 + Math.floor(i / 2) * 2 : 4_000_000 + i
    return `"Person ${i}",+1415${phone},p${i}@example.com,t${i % 7}`
  })
  return `name,phone,email,tags\n${lines.join('\n')}\n`
}

test(`killed with -9 at ${wantedKills} random moments: every row is imported once and the counts are exact`, {
  timeout: 240_000,
}, async () => {
  const [disturbed, calm] = [await api.workspace(), await api.workspace()]
  const { importId } = (await uploadFile(api, disturbed.owner, fileOf())).body
  const moments: number[] = []
  let kills = 0
  let standby = ready()
  while (kills < wantedKills) {
    const child = await standby
    standby = ready()
    const before = await rowsDone(importId)
    child.send('go')
    while (!(await isAt(importId, before, storedBeforeKill[kills]!))) await pause(2)
    await pause(Math.random() * 100)
    await kill(child)
    kills++
    moments.push(await rowsDone(importId))
    if (await isOver(importId)) break
  }
  expect(kills, `the import ended too early: ${moments}`).toBe(wantedKills)
  expect(new Set(moments).size, `${moments}`).toBeGreaterThan(full ? 4 : 1)
  ;(await standby).send('go')
  const status = await waitForImport(disturbed.owner, importId, 120_000)

  const other = (await uploadFile(api, calm.owner, fileOf())).body.importId
  const undisturbed = await waitForImport(calm.owner, other, 120_000)
  expect(status).toEqual({ ...undisturbed, importId })
  expect(status).toMatchObject({ status: 'completed', totalRows: rows, failedCount: rows / 10 })
  expect(status.successCount + status.failedCount).toBe(rows)
  expect(status.errors).toHaveLength(1_000)

  const [some, others] = [await people(disturbed.tenantId), await people(calm.tenantId)]
  expect(some).toEqual(others)
  expect(new Set(some.map(person => person.phone)).size).toBe(some.length)
  const created = (await listStoredEvents(api, disturbed.tenantId)).filter(
    event => event.type === 'contact.created',
  )
  expect(new Set(created.map(event => event.data.contact.id)).size).toBe(created.length)
  expect(created).toHaveLength(some.length)
  for (const one of [disturbed, calm])
    expect((await one.owner.get('/contacts/count')).body).toEqual({ totalSize: some.length })
  const labels = async (owner: typeof calm.owner) =>
    (await owner.get('/tags')).body.tags
      .map((tag: { name: string; labeledCount: number }) => `${tag.name} ${tag.labeledCount}`)
      .sort()
  expect(await labels(disturbed.owner)).toEqual(await labels(calm.owner))
})

function shuffle<T>(items: T[]): T[] {
  return items
    .map(item => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, Math.max(0, ms)))

async function people(tenantId: string) {
  return (await listStoredContacts(api, tenantId)).sort((a, b) => (a.phone! < b.phone! ? -1 : 1))
}

const importRow = (importId: string) =>
  api.deps.db.one<{ done: number; status: string; attempts: number; leased: number }>(sql`
    select success_count + failed_count as done, status, attempts,
      (select count(*) from job_lanes where state = 'leased') as leased
    from contact_imports where id = ${importId}`)

const rowsDone = async (importId: string) => (await importRow(importId)).done
const isOver = async (importId: string) => (await importRow(importId)).status === 'completed'

/** Whether a worker holds the lease and has stored the wanted number of rows. */
async function isAt(importId: string, before: number, wanted: number): Promise<boolean> {
  const { leased, attempts, done, status } = await importRow(importId)
  return status === 'completed' || (leased > 0 && (attempts > 0 || done > before) && done >= before + wanted)
}
