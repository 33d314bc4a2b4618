/**
 * Triggers in the source. Each write to a row of the workspace records the key of the row, and is refused while the
 * driver holds the fence, an advisory lock, and after the switch. A writer shares the lock until its transaction ends, so
 * that the driver gets the fence when the last one has committed, and a driver that dies gives it up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { movedCode, movingCode } from '../../../platform/db/moving.ts'
import { keyText, type MovedTable } from './catalog.ts'
import { lockKey, quote, type Session } from './session.ts'

interface Trigger {
  table: string
  events: readonly { name: string; event: string; condition: string }[]
  body: string
}

const eventsOf = (tenantId: string, column = 'tenant_id') => [
  { name: 'i', event: 'insert', condition: `new.${column} = '${tenantId}'` },
  { name: 'u', event: 'update', condition: `old.${column} = '${tenantId}'` },
  { name: 'd', event: 'delete', condition: `old.${column} = '${tenantId}'` },
]

const toFence = (tenantId: string): string => `
  if not pg_try_advisory_xact_lock_shared(${lockKey('fence', tenantId)}) then
    raise exception using errcode = '${movingCode}', message = 'the workspace is moving', detail = '${tenantId}';
  end if;
  select m.state, m.cell into v_state, v_cell from workspace_moves m where m.tenant_id = '${tenantId}';
  if v_state = 'active' then
    raise exception using errcode = '${movedCode}', message = 'the workspace has moved',
      detail = '${tenantId} ' || v_cell;
  elsif v_state = 'switched' then
    raise exception using errcode = '${movingCode}', message = 'the workspace is moving', detail = '${tenantId}';
  end if;`

function toRecord(tenantId: string, table: MovedTable): string {
  const insert = (row: string) =>
    `insert into workspace_move_changes (tenant_id, table_name, key) values ('${tenantId}', '${table.name}', ${keyText(table, row)});`
  return `
  if tg_op = 'DELETE' then ${insert('old')}
  else ${insert('new')}
    if tg_op = 'UPDATE' and ${keyText(table, 'old')} <> ${keyText(table, 'new')} then ${insert('old')} end if;
  end if;`
}

function listTriggers(tenantId: string, tables: readonly MovedTable[]): Trigger[] {
  const all = eventsOf(tenantId)
  const fence = toFence(tenantId)
  const ofTables = tables.flatMap((table): Trigger[] => {
    const { kind, isFenced } = table.treatment
    const body = (isFenced ? fence : '') + (kind === 'copied' ? toRecord(tenantId, table) : '')
    const events = table.name === 'tenants' ? eventsOf(tenantId, 'id') : all
    return body === '' ? [] : [{ table: table.name, events, body }]
  })
  // Workers change lanes of many workspaces at once; only new jobs are refused.
  const grows = [
    all[0]!,
    {
      ...all[1]!,
      event: 'update of pending',
      condition: `${all[1]!.condition} and new.pending > old.pending`,
    },
  ]
  return [
    ...ofTables,
    { table: 'job_lanes', events: grows, body: fence },
    { table: 'outbox', events: [all[0]!], body: fence },
  ]
}

const functionName = (tenantId: string, table: string) => quote(`${tenantId}_${table}`)

/** Creates what is missing. Waits for transactions that write to the table, but lets no others wait for long. */
export async function createTriggers(
  on: Session,
  tenantId: string,
  tables: readonly MovedTable[],
): Promise<void> {
  const existing = await listTriggerTables(on, tenantId)
  for (const { table, events, body } of listTriggers(tenantId, tables)) {
    if (existing.has(table)) continue
    const name = functionName(tenantId, table)
    await withShortLocks(on, async () => {
      await on.run(`
        create or replace function ${name}() returns trigger language plpgsql as $body$
        declare v_state text; v_cell text;
        begin ${body}
          return null;
        end $body$`)
      for (const { name: suffix, event, condition } of events)
        await on.run(`
          create trigger ${quote(`${tenantId}_${suffix}`)} after ${event} on ${quote(table)}
          for each row when (${condition}) execute function ${name}()`)
    })
  }
}

export async function dropTriggers(on: Session, tenantId: string): Promise<void> {
  for (const table of await listTriggerTables(on, tenantId))
    await withShortLocks(on, () =>
      on.run(`drop function if exists ${functionName(tenantId, table)}() cascade`).then(() => {}),
    )
}

async function listTriggerTables(on: Session, tenantId: string): Promise<Set<string>> {
  const rows = await on.rows<{ name: string }>(
    `select distinct substr(p.proname, length($1) + 2) as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and starts_with(p.proname, $1 || '_')`,
    [tenantId],
  )
  return new Set(rows.map(row => row.name))
}

const lockTimeout = '200ms'
const maxAttempts = 300

async function withShortLocks(on: Session, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await on.transact(async () => {
        await on.run(`set local lock_timeout = '${lockTimeout}'`)
        await work()
      })
    } catch (error) {
      const { code } = error as { code?: string }
      if ((code !== '55P03' && code !== '40P01') || attempt === maxAttempts) throw error
      await sleep(50 + Math.random() * 200)
    }
  }
}
