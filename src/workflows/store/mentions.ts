import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WorkflowDefinition } from '../schemas.ts'
import type { WorkflowRow } from './workflows.ts'

type ReferencingWorkflow = Pick<WorkflowRow, 'id' | 'kind' | 'name' | 'status' | 'definition'> & {
  published: WorkflowDefinition | null
}

/** Those whose draft or published version holds the id. */
export function listReferencing(tx: Tx, tenantId: string, id: string): Promise<ReferencingWorkflow[]> {
  return tx.rows<ReferencingWorkflow>(sql`
    select w.id, w.kind, w.name, w.status, w.definition, v.definition as published
    from workflows w
    left join workflow_versions v on v.tenant_id = w.tenant_id and v.id = w.published_version_id
    where w.tenant_id = ${tenantId} and w.deleted_at is null
      and (strpos(w.definition::text, ${JSON.stringify(id)}) > 0 or strpos(v.definition::text, ${JSON.stringify(id)}) > 0)
    order by w.id`)
}
