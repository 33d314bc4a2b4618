/** The beginning of an import: looks at the file, makes sense of its header, makes the fields that are to be made. */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { type ImportState, insertErrors, lockImport, saveFormat } from '../store/imports.ts'
import { createField, getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { failImport } from './end.ts'
import { type FileInspection, inspectFile, UnreadableFile } from './inspect-file.ts'
import type { FileFormat } from './layout.ts'
import { type Column, type ParsedHeader, parseHeader } from './parse-header.ts'
import { loadImporter } from './standing.ts'

const wasConverted = 'the file is not UTF-8; it was read as Windows-1252: check letters with accents'

/** Nothing when the file cannot be imported: the import has then failed, and says why. */
export async function prepareImport(
  deps: Deps,
  tenantId: string,
  state: ImportState,
): Promise<{ layout: FileFormat; rows: number } | undefined> {
  const found = await inspectImportFile(deps, state)
  return transact(deps.db, async tx => {
    const current = await lockImport(tx, tenantId, state.id)
    if (current?.status !== 'processing') return undefined
    if (current.layout) return { layout: current.layout, rows: current.totalRows }
    if (typeof found === 'string')
      return failImport(tx, tenantId, state.id, [{ row: 0, column: '', message: found }])
    const caller = await loadImporter(deps, tx, tenantId, state)
    const header = parseHeader(found.header, await getFieldDefinitions(tx, tenantId), state.createFields)
    if (header.errors.length > 0) return failImport(tx, tenantId, state.id, header.errors)
    const make = async (name: string) =>
      state.dryRun ? `new:${name}` : (await createField(tx, caller, 'contact', { name, type: 'text' })).id
    const layout = await buildFileFormat(found, header, make)
    await saveFormat(tx, tenantId, state.id, layout, found.rows)
    if (found.encoding.encoding !== 'utf-8')
      await insertErrors(tx, tenantId, state.id, 0, [{ row: 0, column: '', message: wasConverted }])
    return { layout, rows: found.rows }
  })
}

/** What is wrong with the file as a whole is a text. */
async function inspectImportFile(deps: Deps, { blob, size }: ImportState): Promise<FileInspection | string> {
  if (size === 0) return 'the file is empty: it needs a header'
  try {
    return await inspectFile(await deps.blobs.get(blob))
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
}

async function buildFileFormat(
  found: FileInspection,
  header: ParsedHeader,
  make: (name: string) => Promise<string>,
): Promise<FileFormat> {
  const columns: Column[] = []
  for (const column of header.columns) {
    if (column.kind !== 'new') columns.push(column)
    else
      columns.push({ kind: 'field', header: column.header, type: 'text', fieldId: await make(column.name) })
  }
  const { encoding: letters, separator, start } = found
  return { encoding: letters, separator, start, columns }
}
