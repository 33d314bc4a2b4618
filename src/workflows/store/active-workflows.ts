/** Reads active workflows and their published versions for the engine. */

import type { Queryable } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { Definition, WorkflowKind } from '../nodes/node-type.ts'
import type { EntryMode, TriggerConfig } from '../triggers/trigger-type.ts'

export async function getDefinition(on: Queryable, tenantId: string, versionId: string): Promise<Definition> {
  const { definition } = await on.one<{ definition: Definition }>(
    sql`select definition from workflow_versions where tenant_id = ${tenantId} and id = ${versionId}`,
  )
  return definition
}

export interface ActiveWorkflow {
  tenantId: string
  workflowId: string
  kind: WorkflowKind
  versionId: string
  triggerType: string
  trigger: TriggerConfig
  entryMode: EntryMode
}

const columns = raw(`w.tenant_id as "tenantId", w.id as "workflowId", w.kind, v.id as "versionId",
  v.trigger_type as "triggerType", v.trigger_config as trigger, v.entry_mode as "entryMode"`)

const published = raw(`workflows w join workflow_versions v
  on v.tenant_id = w.tenant_id and v.id = w.published_version_id`)

const isActive = raw(`w.status = 'active' and w.deleted_at is null`)

/** Lists the active versions of journeys. Kept small, because every batch of events queries it. */
export function listActiveVersions(
  on: Queryable,
  tenantId: string,
): Promise<{ workflowId: string; versionId: string }[]> {
  return on.rows(sql`
    select id as "workflowId", published_version_id as "versionId" from workflows w
    where w.tenant_id = ${tenantId} and w.kind = 'journey' and ${isActive} order by w.id`)
}

export function listActiveWorkflows(
  on: Queryable,
  tenantId: string,
  versionIds: readonly string[],
): Promise<ActiveWorkflow[]> {
  return on.rows<ActiveWorkflow>(sql`
    select ${columns} from workflow_versions v
    join workflows w on w.tenant_id = v.tenant_id and w.id = v.workflow_id
    where v.tenant_id = ${tenantId} and v.id = any(${versionIds}) order by w.id`)
}

export function findActiveWorkflow(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  workflowId: string,
): Promise<ActiveWorkflow | undefined> {
  return on.maybe<ActiveWorkflow>(sql`
    select ${columns} from ${published}
    where w.tenant_id = ${tenantId} and w.id = ${workflowId} and w.kind = ${kind} and ${isActive}`)
}

/** Lists the active ones of these chatbots, in the given order. */
export function listActiveChatbots(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ActiveWorkflow[]> {
  return on.rows<ActiveWorkflow>(sql`
    select ${columns} from ${published}
    where w.tenant_id = ${tenantId} and w.id = any(${ids}) and w.kind = 'chatbot' and ${isActive}
    order by array_position(${ids}::text[], w.id)`)
}

/** Lists the active workflows of all workspaces with one of these triggers. */
export function listActiveByTrigger(
  on: Queryable,
  triggerTypes: readonly string[],
): Promise<ActiveWorkflow[]> {
  return on.rows<ActiveWorkflow>(sql`
    select ${columns} from ${published} where ${isActive} and v.trigger_type = any(${triggerTypes})
      and ${notMoving('v.tenant_id')}`)
}
