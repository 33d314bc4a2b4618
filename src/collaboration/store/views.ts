import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { Sharing } from '../sharing.ts'
import type { AnyView, ViewKind } from '../views/schemas.ts'

export type ViewRow = Pick<AnyView, Exclude<keyof AnyView, 'kind' | 'filter' | 'sort'>> &
  Sharing & { kind: ViewKind; filter: AnyView['filter']; sort: AnyView['sort'] }

const columns =
  raw(`id, kind, name, filter, sort, position, columns, scope, team_ids as "teamIds", owner_id as "ownerId", revision,
  created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`)

/** The filter and the order were checked for the kind before they were stored. */
export function viewToApi({ ownerId: _, ...view }: ViewRow): AnyView {
  return view as AnyView
}

/** Lists the viewer's own and the shared views of a kind in the order of the viewer. */
export async function listViews<K extends ViewKind>(
  on: Queryable,
  viewer: Viewer,
  kind: K,
): Promise<(AnyView & { kind: K })[]> {
  const { tenantId, id } = viewer
  const rows = await on.rows<ViewRow>(sql`
    with arranged as (
      select view_id, place from view_orders o, unnest(o.view_ids) with ordinality as v(view_id, place)
      where o.tenant_id = ${tenantId} and o.user_id = ${id}
    )
    select ${columns} from views left join arranged on arranged.view_id = views.id
    where tenant_id = ${tenantId} and owner_id in ('', ${id}) and kind = ${kind} and ${visibleTo(viewer)}
    order by arranged.place nulls last, position, id`)
  return rows.map(viewToApi) as (AnyView & { kind: K })[]
}

export function lockView(tx: Tx, viewer: Viewer, id: string): Promise<ViewRow | undefined> {
  return tx.maybe(sql`
    select ${columns} from views where tenant_id = ${viewer.tenantId} and id = ${id} and ${visibleTo(viewer)}
    for update`)
}

/** Counts the private views of an owner, or the shared ones for an empty id. */
export async function countViews(tx: Tx, tenantId: string, ownerId: string): Promise<number> {
  return (await tx.value<number>(
    sql`select count(*) from views where tenant_id = ${tenantId} and owner_id = ${ownerId}`,
  ))!
}

export async function insertView(tx: Tx, tenantId: string, row: ViewRow): Promise<void> {
  await tx.run(sql`
    insert into views (tenant_id, id, kind, scope, owner_id, team_ids, name, filter, sort, position, columns, created_by,
      created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.kind}, ${row.scope}, ${row.ownerId}, ${row.teamIds}, ${row.name},
      ${JSON.stringify(row.filter)}::json, ${row.sort && JSON.stringify(row.sort)}::json, ${row.position}, ${row.columns},
      ${row.createdBy}, ${tx.now}, ${tx.now})`)
}

export async function updateViewRow(tx: Tx, tenantId: string, row: ViewRow): Promise<void> {
  await tx.run(sql`
    update views set scope = ${row.scope}, owner_id = ${row.ownerId}, team_ids = ${row.teamIds}, name = ${row.name},
      filter = ${JSON.stringify(row.filter)}::json, sort = ${row.sort && JSON.stringify(row.sort)}::json,
      position = ${row.position}, columns = ${row.columns}, revision = ${row.revision}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${row.id}`)
}

export async function deleteViewRow(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`delete from views where tenant_id = ${tenantId} and id = ${id}`)
}

/** Arranges the given views; the order of the views of other kinds stays. */
export async function replaceViewOrder(
  tx: Tx,
  tenantId: string,
  userId: string,
  viewIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into view_orders as o (tenant_id, user_id, view_ids) values (${tenantId}, ${userId}, ${viewIds})
    on conflict (tenant_id, user_id) do update set view_ids = excluded.view_ids || array(
      select v.id from unnest(o.view_ids) with ordinality as former(id, place)
      join views v on v.tenant_id = ${tenantId} and v.id = former.id
      where cardinality(excluded.view_ids) > 0 and v.kind not in (select kind from views where tenant_id = ${tenantId} and id = any(${viewIds}))
      order by former.place)`)
}
