/** How an import ends before its time. What has landed stays. */
import type { Tx } from '../../platform/db/db.ts'
import { endImport, insertErrors, lockImport } from '../store/imports.ts'
import type { RowError } from './parse-header.ts'

export async function failImport(
  tx: Tx,
  tenantId: string,
  importId: string,
  errors: readonly RowError[],
): Promise<undefined> {
  const state = await lockImport(tx, tenantId, importId)
  if (state?.status !== 'processing') return
  await insertErrors(tx, tenantId, importId, state.errorCount, errors)
  await endImport(tx, tenantId, importId, 'failed')
}
