import type { Queryable, Tx } from '../../platform/db/db.ts'
import { inlineLimit, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Caller, Role } from '../../platform/http/caller.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { FileFormat, RowError } from '../import/inspect-file.ts'
import type { ImportStatus, ImportSummary } from '../schemas.ts'

export interface NewImport {
  id: string
  caller: Caller
  filename: string
  blob: string
  size: number
  dryRun: boolean
  createFields: boolean
  mapping?: readonly string[] | null
}

export async function insertImport(tx: Tx, tenantId: string, row: NewImport): Promise<void> {
  const { caller } = row
  await tx.run(sql`
    insert into contact_imports (tenant_id, id, created_by, created_by_kind, created_by_role, created_at, filename,
      blob, size, dry_run, create_fields, mapping)
    values (${tenantId}, ${row.id}, ${caller.id}, ${caller.kind}, ${caller.role}, ${tx.now}, ${row.filename},
      ${row.blob}, ${row.size}, ${row.dryRun}, ${row.createFields},
      ${row.mapping ? JSON.stringify(row.mapping) : null}::json)`)
}

/** Bytes of the files of imports that have not ended. */
export async function getUnfinishedImportBytes(on: Queryable, tenantId: string): Promise<number> {
  const { bytes } = await on.one<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::bigint as bytes from contact_imports
    where tenant_id = ${tenantId} and finished_at is null`)
  return bytes
}

export interface ImportState {
  id: string
  status: ImportStatus['status']
  createdBy: string
  createdByKind: Caller['kind']
  createdByRole: Role
  blob: string
  size: number
  dryRun: boolean
  createFields: boolean
  mapping: string[] | null
  format: FileFormat | null
  position: number
  totalRows: number
  successCount: number
  failedCount: number
  errorCount: number
  attempts: number
}

const columns = sql`id, status, created_by as "createdBy", created_by_kind as "createdByKind",
  created_by_role as "createdByRole", blob, size, dry_run as "dryRun", create_fields as "createFields", mapping,
  file_format as format,
  position, total_rows as "totalRows", success_count as "successCount", failed_count as "failedCount",
  error_count as "errorCount", attempts`

/** Counts an attempt, so that a file that crashes workers is not retried forever. */
export function startAttempt(on: Queryable, tenantId: string, id: string): Promise<ImportState | undefined> {
  return on.maybe<ImportState>(sql`
    update contact_imports set attempts = attempts + 1,
      status = case when status = 'queued' then 'processing' else status end
    where tenant_id = ${tenantId} and id = ${id} returning ${columns}`)
}

export function lockImport(tx: Tx, tenantId: string, id: string): Promise<ImportState | undefined> {
  return tx.maybe<ImportState>(sql`
    select ${columns} from contact_imports where tenant_id = ${tenantId} and id = ${id} for no key update`)
}

export async function saveFormat(
  tx: Tx,
  tenantId: string,
  id: string,
  format: FileFormat,
  totalRows: number,
): Promise<void> {
  await tx.run(sql`
    update contact_imports set file_format = ${JSON.stringify(format)}::json, position = ${format.start},
      total_rows = ${totalRows}, attempts = 0
    where tenant_id = ${tenantId} and id = ${id}`)
}

export interface Progress {
  position: number
  succeeded: number
  failed: number
  created: number
}

export async function saveProgress(tx: Tx, tenantId: string, id: string, progress: Progress): Promise<void> {
  await tx.run(sql`
    update contact_imports set position = ${progress.position}, success_count = success_count + ${progress.succeeded},
      failed_count = failed_count + ${progress.failed}, created_count = created_count + ${progress.created}, attempts = 0
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Ends an import. `total_rows` becomes the number of rows that were written or rejected. */
export async function endImport(
  tx: Tx,
  tenantId: string,
  id: string,
  status: 'completed' | 'failed',
): Promise<void> {
  await tx.run(sql`
    update contact_imports set status = ${status}, finished_at = ${tx.now}, total_rows = success_count + failed_count
    where tenant_id = ${tenantId} and id = ${id} and status = 'processing'`)
}

const maxErrors = 1_000

/** Appends to the first thousand errors of a locked import. `before` is the number of stored errors. */
export async function insertErrors(
  tx: Tx,
  tenantId: string,
  id: string,
  before: number,
  errors: readonly RowError[],
): Promise<void> {
  const rows = errors.slice(0, Math.max(0, maxErrors - before))
  if (rows.length === 0) return
  await tx.run(sql`
    with inserted as (
      insert into contact_import_errors (tenant_id, import_id, n, row_number, column_name, message)
      select ${tenantId}, ${id}, ${before} + n, row_number, column_name, message
      from unnest(${rows.map(error => error.row)}::int[], ${rows.map(error => error.column)}::text[],
        ${rows.map(error => error.message)}::text[]) with ordinality as e (row_number, column_name, message, n)
    )
    update contact_imports set error_count = ${before + rows.length} where tenant_id = ${tenantId} and id = ${id}`)
}

/** Agents see their own imports only, as they do with bulk actions. */
function isVisible({ tenantId, role, id }: Caller): Sql {
  const ofWorkspace = sql`tenant_id = ${tenantId}`
  return role === 'agent' ? sql`${ofWorkspace} and created_by = ${id}` : ofWorkspace
}

export function findImportStatus(
  on: Queryable,
  caller: Caller,
  id: string,
): Promise<ImportStatus | undefined> {
  return on.maybe<ImportStatus>(sql`
    select id as "importId", status, total_rows as "totalRows", success_count as "successCount",
      failed_count as "failedCount",
      coalesce((
        select json_agg(json_build_object('row', e.row_number, 'column', e.column_name, 'message', e.message) order by e.n)
        from contact_import_errors e where e.tenant_id = i.tenant_id and e.import_id = i.id), '[]') as errors
    from contact_imports i where ${isVisible(caller)} and id = ${id}`)
}

/** Lists imports, newest first: the ids are in the order of creation. */
export function listImports(
  on: Queryable,
  caller: Caller,
  { limit, after }: { limit: number; after: SortKey | undefined },
): Promise<ImportSummary[]> {
  const earlier = after ? sql`id < ${after[0]}` : raw('true')
  return on.rows<ImportSummary>(sql`
    select id as "importId", status, filename, size, dry_run as "dryRun", created_by as "createdBy",
      created_at as "createdAt", finished_at as "finishedAt", total_rows as "totalRows", success_count as "successCount",
      failed_count as "failedCount", created_count as "createdCount", error_count as "errorCount"
    from contact_imports where ${isVisible(caller)} and ${earlier} order by id desc limit ${inlineLimit(limit + 1)}`)
}
