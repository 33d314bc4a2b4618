/**
 * References to resources that were deleted after publishing. Neither versions nor drafts are rewritten when a tag, field
 * or segment is deleted. Instead the deletion is recorded in the audit log of each workflow that references it, reading a
 * workflow lists its broken references, and activating it is rejected until they are fixed.
 */
import { recordAudit } from '../../identity/audit.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, type Violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { DeletedReference } from '../../segments/dependents.ts'
import type { LocatedReference } from '../nodes/node-type.ts'
import { findVersion } from '../store/versions.ts'
import { listReferencing, type WorkflowRow } from '../store/workflows.ts'
import { type CampaignExists, referenceViolations } from './references.ts'
import { collectReferences } from './validation.ts'

/** Lists the references of the published version, or of the draft if there is none. */
async function listPublishedReferences({ db }: Deps, row: WorkflowRow): Promise<LocatedReference[]> {
  const { tenantId, kind, publishedVersionId } = row
  const version =
    publishedVersionId === null ? undefined : await findVersion(db, tenantId, kind, publishedVersionId)
  return collectReferences(kind, version?.definition ?? row.definition)
}

/** Finds references to deleted resources. Templates are not checked, because that requires provider requests. */
export async function findBrokenReferences(
  deps: Deps,
  row: WorkflowRow,
  campaignExists: CampaignExists,
): Promise<Violation[]> {
  const references = (await listPublishedReferences(deps, row)).filter(
    ({ reference: { kind } }) => !['template', 'flow', 'url'].includes(kind),
  )
  const violations = await referenceViolations(deps, row.tenantId, references, campaignExists)
  return violations.filter(({ code }) => code.startsWith('unknown_'))
}

/** 400 with all violations of references. `activate` itself reports why a workflow cannot be activated otherwise. */
export async function checkActivatable(
  deps: Deps,
  row: WorkflowRow,
  campaignExists: CampaignExists,
): Promise<void> {
  if (row.publishedVersionId === null || row.status === 'active') return
  const references = await listPublishedReferences(deps, row)
  const violations = await referenceViolations(deps, row.tenantId, references, campaignExists)
  if (violations.length > 0) invalid(...violations)
}

/** Records a deletion in the audit log of each workflow that references the deleted resource. */
export async function recordDeletedReference(
  tx: Tx,
  caller: Caller,
  deleted: DeletedReference,
): Promise<void> {
  for (const row of await listReferencing(tx, caller.tenantId, deleted.id)) {
    const listPaths = (definition: WorkflowRow['definition'] | null) =>
      definition === null
        ? []
        : collectReferences(row.kind, definition)
            .filter(({ reference }) => reference.kind === deleted.kind && reference.id === deleted.id)
            .map(({ at, reference }) => `${at}.${reference.path}`)
    await recordAudit(tx, caller, `${row.kind}.reference_deleted`, row.id, {
      name: row.name,
      status: row.status,
      [deleted.kind]: { id: deleted.id, name: deleted.name },
      published: listPaths(row.published),
      draft: listPaths(row.definition),
    })
  }
}
