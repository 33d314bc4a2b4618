/**
 * Benchmarks imports and exports of contacts. The limit of an import is a plain batched insert of the same rows (contact,
 * activity, identity, values, event) with precomputed values; of an export, COPY TO of the same columns. Both alternate,
 * so that other load on the machine affects both. BENCH_ROWS sets the number of rows (200,000; at most 1,000,000).
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import pg, { type PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { routes } from '../src/app.ts'
import { buildPhoneClaim } from '../src/contacts/contacts.ts'
import { importContacts } from '../src/contacts/import/run-import.ts'
import { ContactId } from '../src/contacts/schemas.ts'
import { buildStoredProfile, toFieldValueRows } from '../src/contacts/search/search-document.ts'
import { findImportStatus, insertImport } from '../src/contacts/store/imports.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { createAuthSession } from '../src/identity/auth/sessions.ts'
import { createWorkspace } from '../src/identity/workspace/tenants.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import { EventId } from '../src/platform/events/event.ts'
import type { Caller } from '../src/platform/http/caller.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { enqueue } from '../src/platform/jobs/enqueue.ts'
import { startWorkers } from '../src/platform/jobs/workers.ts'
import { buildPerson, csv } from './import/people.ts'
import { benchDeps, report } from './support/environment.ts'

const total = Number(process.env.BENCH_ROWS ?? 200_000)
const rounds = 4
const perRound = Math.ceil(total / rounds)
const batch = 1_000

const { deps, connection, close } = await benchDeps()
const workers = startWorkers(deps, [importContacts])

async function workspace(name: string): Promise<Caller> {
  const owner = { name: 'Owner', email: `${name}@example.com`, passwordHash: 'none' }
  const { tenantId, ownerId } = await transact(deps.db, tx => createWorkspace(tx, { name, owner }))
  return { tenantId, id: ownerId, kind: 'user', role: 'owner', scopes: deps.roleScopes.owner, teamIds: [] }
}

let imports = 0
async function timeImport(caller: Caller, from: number, count: number): Promise<number> {
  const { tenantId } = caller
  const id = `import_${++imports}`
  const blob = `${tenantId}/${id}`
  const { size } = await deps.blobs.put(blob, Readable.from(csv(from, count)))
  const startedAt = performance.now()
  await transact(deps.db, async tx => {
    const row = { id, caller, filename: 'bench.csv', blob, size, dryRun: false, createFields: false }
    await insertImport(tx, tenantId, row)
    await enqueue(tx, importContacts, { tenantId, payload: { importId: id } })
  })
  for (;;) {
    const status = await findImportStatus(deps.db, caller, id)
    if (status?.status === 'failed') throw new Error(JSON.stringify(status))
    if (status?.status === 'completed' && status.successCount !== count) throw new Error('rows are missing')
    if (status?.status === 'completed') return performance.now() - startedAt
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Rows of the plain insert, ready to send. */
function bareBatch(tenantId: string, from: number) {
  const now = new Date().toISOString()
  return Array.from({ length: batch }, (_, i) => {
    const { name, phone, email } = buildPerson(from + i)
    const kindOf = (id: string) => ({ id, type: 'text' as const })
    const stored = buildStoredProfile({ name, fields: { cf_email: email }, phones: [phone] }, kindOf)
    const id = ContactId.createAt(now)
    const contact = {
      id,
      tenantId,
      name,
      createdAt: now,
      updatedAt: now,
      tagIds: [],
      customFields: { cf_email: email },
    }
    const event = {
      contact: { ...contact, archivedAt: null, optOuts: [], conversations: [] },
      importId: 'import_bench',
    }
    return {
      id,
      now,
      stored,
      claim: buildPhoneClaim(phone),
      value: toFieldValueRows(stored.searchValues, kindOf)[0]!,
      eventId: EventId.create(),
      event: JSON.stringify(event),
    }
  })
}

async function bareInsert(
  client: PoolClient,
  tenantId: string,
  rows: ReturnType<typeof bareBatch>,
): Promise<void> {
  const { now } = rows[0]!
  const send = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  await client.query('begin')
  await send(
    'bare contacts',
    `insert into contacts (tenant_id, id, name, sort_name, fields, search_values, search, field_text, created_at)
     select $1, id, name, sort_name, fields::jsonb, search_values::jsonb, search, '', $2
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as row (id, name, sort_name, fields, search_values, search)`,
    [
      tenantId,
      now,
      rows.map(row => row.id),
      rows.map(row => row.stored.name),
      rows.map(row => row.stored.sortName),
      rows.map(row => JSON.stringify(row.stored.fields)),
      rows.map(row => JSON.stringify(row.stored.searchValues)),
      rows.map(row => row.stored.search),
    ],
  )
  await send(
    'bare activity',
    `insert into contact_activity (tenant_id, contact_id, updated_at) select $1, id, $2 from unnest($3::text[]) as row (id)`,
    [tenantId, now, rows.map(row => row.id)],
  )
  await send(
    'bare identities',
    `insert into contact_identities (tenant_id, contact_id, id, channel, external_id, phone, created_at)
     select $1, contact_id, id, 'chatapp', phone, phone, $2
     from unnest($3::text[], $4::text[], $5::text[]) as row (contact_id, id, phone)`,
    [tenantId, now, rows.map(row => row.id), rows.map(row => row.claim.id), rows.map(row => row.claim.phone)],
  )
  await send(
    'bare values',
    `insert into contact_field_values (tenant_id, field_id, key, contact_id, month_day)
     select $1, field_id, key, contact_id, null from unnest($2::text[], $3::text[], $4::text[]) as row (contact_id, field_id, key)`,
    [tenantId, rows.map(row => row.id), rows.map(row => row.value.fieldId), rows.map(row => row.value.key)],
  )
  await send(
    'bare events',
    `insert into outbox (event_id, tenant_id, type, at, data, audience, causation_depth)
     select id, $1, 'contact.created', $2, data::json, null, 0 from unnest($3::text[], $4::text[]) as row (id, data)`,
    [tenantId, now, rows.map(row => row.eventId), rows.map(row => row.event)],
  )
  await client.query('commit')
}

/** Times the statements only; rows are built before. */
async function timeBare(caller: Caller, from: number, count: number): Promise<number> {
  let spent = 0
  await deps.db.withClient(async client => {
    for (let at = from; at < from + count; at += batch) {
      const rows = bareBatch(caller.tenantId, at)
      const startedAt = performance.now()
      await bareInsert(client, caller.tenantId, rows)
      spent += performance.now() - startedAt
    }
  })
  return spent
}

const [imported, bare] = [await workspace('imported'), await workspace('bare')]
await timeImport(await workspace('warm'), 0, 2_000)
await timeBare(await workspace('cold'), 0, 2_000)

let largest = 0
const before = process.memoryUsage.rss()
const watch = setInterval(() => {
  largest = Math.max(largest, process.memoryUsage.rss() - before)
}, 50)
const spent = { import: 0, bare: 0 }
for (let round = 0; round < rounds; round++) {
  const from = round * perRound
  spent.bare += await timeBare(bare, from, perRound)
  spent.import += await timeImport(imported, from, perRound)
}
clearInterval(watch)
const perSecond = (ms: number) => (perRound * rounds * 1_000) / ms
report({
  name: 'import.rows',
  unit: 'rows/s',
  value: perSecond(spent.import),
  limit: perSecond(spent.bare),
  ratio: spent.bare / spent.import,
  wanted: '>= 0.60',
})
report({
  name: 'import.memory',
  unit: 'MB',
  value: largest / 1e6,
  limit: 150,
  ratio: largest / 150e6,
  wanted: '<= 1.0',
})

// Other requests while an import runs.
const app = await buildServer({
  deps,
  routes,
  authenticate: createAuthenticator(deps),
  pageKey: deps.keys.current('page-tokens'),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`
const token = async ({ tenantId, id }: Caller) =>
  (await transact(deps.db, tx => createAuthSession(deps, tx, { tenantId, userId: id }))).accessToken
const { id: someone } = await deps.db.one<{ id: string }>(
  sql`select id from contacts where tenant_id = ${bare.tenantId} limit 1`,
)
const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
async function p99(seconds: number): Promise<number> {
  const options = ['-j', '-c', '4', '-R', '200', '-d', String(seconds)]
  const header = `authorization=Bearer ${await token(bare)}`
  const args = [autocannon, ...options, '-H', header, `${url}/contacts/${someone}`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  const result = JSON.parse(stdout) as { latency: { p99: number }; non2xx: number }
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx`)
  return result.latency.p99
}
const seconds = 6
await p99(2)
const idle = await p99(seconds)
const busy = timeImport(await workspace('busy'), 0, perRound)
const during = await p99(seconds)
await busy
report({
  name: 'import.others_p99',
  unit: 'ms',
  value: during,
  limit: idle,
  ratio: during / idle,
  wanted: '<= 3.0',
})

// Exports.
await deps.db.run(sql`analyze contacts, contact_identities, contact_tags`).catch(() => {})
async function drain(source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of source) bytes += chunk.length
  return bytes
}
async function timeCopy(): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const startedAt = performance.now()
  const text = `copy (
    select c.name, i.phone, c.fields ->> 'cf_email', (
        select string_agg(t.name, ', ') from contact_tags l join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id
        where l.tenant_id = c.tenant_id and l.contact_id = c.id), c.fields ->> 'cf_phone', c.id
    from contacts c left join contact_identities i
      on i.tenant_id = c.tenant_id and i.channel = 'chatapp' and i.contact_id = c.id
    where c.tenant_id = '${imported.tenantId}' and c.archived_at is null and c.deleted_at is null order by c.id
  ) to stdout with (format csv)`
  await drain(client.query(copyTo(text)) as AsyncIterable<Uint8Array>)
  const spent = performance.now() - startedAt
  await client.end()
  return spent
}
const bearer = await token(imported)
/** Reads the export in another process, as a client would. */
async function timeExport(): Promise<number> {
  const script = `
    const startedAt = performance.now()
    const response = await fetch('${url}/contacts/export', { headers: { authorization: 'Bearer ${bearer}' } })
    let bytes = 0
    for await (const chunk of response.body) bytes += chunk.length
    console.log(JSON.stringify({ status: response.status, ms: performance.now() - startedAt, bytes }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const { status, ms } = JSON.parse(stdout) as { status: number; ms: number }
  if (status !== 200) throw new Error(`the export answered ${status}`)
  return ms
}
const reading = { copy: 0, export: 0 }
await timeExport()
for (let round = 0; round < 3; round++) {
  reading.copy += await timeCopy()
  reading.export += await timeExport()
}
report({
  name: 'export.rows',
  unit: 'rows/s',
  value: 3 * perSecond(reading.export),
  limit: 3 * perSecond(reading.copy),
  ratio: reading.copy / reading.export,
  wanted: '>= 0.50',
})
await app.close()
await workers.stop(1_000)
await close()
