/**
 * What a workflow speaks of and is there no more. Versions never change and drafts are their authors': neither is
 * rewritten when a tag, field or segment is deleted. Instead the deletion is put on record with each workflow that it
 * touches, reading a workflow shows what is missing, and activating it is refused until that is mended.
 */
import { recordAudit } from '../../identity/audit.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, type Violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { DeletedReference } from '../../segments/dependents.ts'
import { listReferencing } from '../store/mentions.ts'
import { findVersion } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import { referenceViolations } from './references.ts'
import { collectReferences } from './validation.ts'

async function listPublishedReferences({ db }: Deps, row: WorkflowRow) {
  const { tenantId, kind, publishedVersionId } = row
  const version =
    publishedVersionId === null ? undefined : await findVersion(db, tenantId, kind, publishedVersionId)
  return collectReferences(kind, version?.definition ?? row.definition)
}

/** Of the published version, else of the draft. Providers are not asked for their templates. */
export async function findBrokenReferences(deps: Deps, row: WorkflowRow): Promise<Violation[]> {
  const references = (await listPublishedReferences(deps, row)).filter(
    ({ reference: { kind } }) => kind !== 'template' && kind !== 'url',
  )
  const faults = await referenceViolations(deps, row.tenantId, references)
  return faults.filter(fault => fault.code.startsWith('unknown_'))
}

/** 400 with every fault. What cannot be activated anyway is told so by activating it. */
export async function checkActivatable(deps: Deps, row: WorkflowRow): Promise<void> {
  if (row.publishedVersionId === null || row.status === 'active') return
  const faults = await referenceViolations(deps, row.tenantId, await listPublishedReferences(deps, row))
  if (faults.length > 0) invalid(...faults)
}

/** Writes an audit entry for each workflow that references a tag, field or segment that is being deleted. */
export async function recordDeletedReference(tx: Tx, caller: Caller, gone: DeletedReference): Promise<void> {
  for (const row of await listReferencing(tx, caller.tenantId, gone.id)) {
    const paths = (definition: WorkflowRow['definition'] | null) =>
      definition === null
        ? []
        : collectReferences(row.kind, definition)
            .filter(({ reference }) => reference.kind === gone.kind && reference.id === gone.id)
            .map(({ at, reference }) => `${at}.${reference.path}`)
    await recordAudit(tx, caller.tenantId, caller, {
      action: `${row.kind}.reference_deleted`,
      targetType: row.kind,
      targetId: row.id,
      details: {
        name: row.name,
        status: row.status,
        [gone.kind]: { id: gone.id, name: gone.name },
        published: paths(row.published),
        draft: paths(row.definition),
      },
    })
  }
}
