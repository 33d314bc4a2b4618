/** The order in which the chatbots of a workspace are tried. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import type { TriggerConfig } from '../triggers/trigger-type.ts'

/** Serialises changes that decide which bot is reached, until the transaction ends. */
export async function lockBotOrder(tx: Tx, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`parley bot order ${tenantId}`}, 0))`)
}

export interface OrderedBot {
  id: string
  name: string
  teamIds: string[]
  trigger: TriggerConfig
}

/** Lists the active bots in their order, and also the published bot `includedId`. */
export function listActiveBots(on: Queryable, tenantId: string, includedId?: string): Promise<OrderedBot[]> {
  const active = raw(`w.status = 'active'`)
  return on.rows<OrderedBot>(sql`
    select w.id, w.name, v.trigger_config as trigger,
      array(select t.team_id from chatbot_teams t where t.tenant_id = w.tenant_id and t.workflow_id = w.id) as "teamIds"
    from workflows w join workflow_versions v on v.tenant_id = w.tenant_id and v.id = w.published_version_id
    where w.tenant_id = ${tenantId} and w.kind = 'chatbot' and w.deleted_at is null
      and ${includedId === undefined ? active : sql`(${active} or w.id = ${includedId})`}
    order by w.position, w.id`)
}

/** Lists the ids of all chatbots in their order. */
export async function listBotIds(on: Queryable, tenantId: string): Promise<string[]> {
  const kind: WorkflowKind = 'chatbot'
  const rows = await on.rows<{ id: string }>(sql`
    select id from workflows where tenant_id = ${tenantId} and kind = ${kind} and deleted_at is null
    order by position, id`)
  return rows.map(row => row.id)
}

export async function updatePositions(
  tx: Tx,
  tenantId: string,
  positions: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.run(sql`
    update workflows w set position = given.position
    from unnest(${[...positions.keys()]}::text[], ${[...positions.values()]}::int[]) as given (id, position)
    where w.tenant_id = ${tenantId} and w.id = given.id`)
}
