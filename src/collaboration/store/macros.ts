import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { Macro } from '../macros/schemas.ts'
import type { Sharing } from '../sharing.ts'

export type MacroRow = Macro & Sharing

const columns = raw(`id, name, actions, scope, team_ids as "teamIds", owner_id as "ownerId", revision,
  created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`)

export function macroToApi({ ownerId: _, ...macro }: MacroRow): Macro {
  return macro
}

/** Lists the viewer's own and the shared macros by name. */
export async function listMacros(on: Queryable, viewer: Viewer): Promise<Macro[]> {
  const rows = await on.rows<MacroRow>(sql`
    select ${columns} from macros
    where tenant_id = ${viewer.tenantId} and owner_id in ('', ${viewer.id}) and ${visibleTo(viewer)}
    order by lower(name), id`)
  return rows.map(macroToApi)
}

export function findMacro(on: Queryable, viewer: Viewer, id: string): Promise<MacroRow | undefined> {
  return on.maybe(sql`
    select ${columns} from macros where tenant_id = ${viewer.tenantId} and id = ${id} and ${visibleTo(viewer)}`)
}

export function lockMacro(tx: Tx, viewer: Viewer, id: string): Promise<MacroRow | undefined> {
  return tx.maybe(sql`
    select ${columns} from macros where tenant_id = ${viewer.tenantId} and id = ${id} and ${visibleTo(viewer)}
    for update`)
}

/** Counts the private macros of an owner, or the shared ones for an empty id. */
export async function countMacros(tx: Tx, tenantId: string, ownerId: string): Promise<number> {
  return (await tx.value<number>(
    sql`select count(*) from macros where tenant_id = ${tenantId} and owner_id = ${ownerId}`,
  ))!
}

export async function insertMacro(tx: Tx, tenantId: string, row: MacroRow): Promise<void> {
  await tx.run(sql`
    insert into macros (tenant_id, id, scope, owner_id, team_ids, name, actions, created_by, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.scope}, ${row.ownerId}, ${row.teamIds}, ${row.name},
      ${JSON.stringify(row.actions)}::json, ${row.createdBy}, ${tx.now}, ${tx.now})`)
}

export async function updateMacroRow(tx: Tx, tenantId: string, row: MacroRow): Promise<void> {
  await tx.run(sql`
    update macros set scope = ${row.scope}, owner_id = ${row.ownerId}, team_ids = ${row.teamIds}, name = ${row.name},
      actions = ${JSON.stringify(row.actions)}::json, revision = ${row.revision}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${row.id}`)
}

export async function deleteMacroRow(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`delete from macros where tenant_id = ${tenantId} and id = ${id}`)
}
