/** The beginning of an import: looks at the file, makes sense of its header, makes the fields that are to be made. */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { createField, fieldBook } from '../fields.ts'
import { type ImportState, insertErrors, lockImport, saveLayout } from '../store/imports.ts'
import { type Column, type Columns, readHeader } from './columns.ts'
import { giveUp } from './end.ts'
import type { Layout } from './layout.ts'
import { standingOf } from './standing.ts'
import { type Survey, survey, Unreadable } from './survey.ts'

const wasConverted = 'the file is not UTF-8; it was read as Windows-1252: check letters with accents'

/** Nothing when the file cannot be imported: the import has then failed, and says why. */
export async function look(
  deps: Deps,
  tenantId: string,
  state: ImportState,
): Promise<{ layout: Layout; rows: number } | undefined> {
  const found = await surveyFile(deps, state)
  return transact(deps.db, async tx => {
    const current = await lockImport(tx, tenantId, state.id)
    if (current?.status !== 'processing') return undefined
    if (current.layout) return { layout: current.layout, rows: current.totalRows }
    if (typeof found === 'string')
      return giveUp(tx, tenantId, state.id, [{ row: 0, column: '', message: found }])
    const caller = await standingOf(tx, tenantId, state)
    const header = readHeader(found.header, await fieldBook(tx, tenantId), state.createFields)
    if (header.errors.length > 0) return giveUp(tx, tenantId, state.id, header.errors)
    const make = async (name: string) =>
      state.dryRun ? `new:${name}` : (await createField(tx, caller, 'contact', { name, type: 'text' })).id
    const layout = await layoutOf(found, header, make)
    await saveLayout(tx, tenantId, state.id, layout, found.rows)
    if (found.letters.encoding !== 'utf-8')
      await insertErrors(tx, tenantId, state.id, 0, [{ row: 0, column: '', message: wasConverted }])
    return { layout, rows: found.rows }
  })
}

/** What is wrong with the file as a whole is a text. */
async function surveyFile(deps: Deps, { blob, size }: ImportState): Promise<Survey | string> {
  if (size === 0) return 'the file is empty: it needs a header'
  try {
    return await survey(await deps.blobs.get(blob))
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

async function layoutOf(
  found: Survey,
  header: Columns,
  make: (name: string) => Promise<string>,
): Promise<Layout> {
  const columns: Column[] = []
  for (const column of header.columns) {
    if (column.kind !== 'new') columns.push(column)
    else
      columns.push({ kind: 'field', header: column.header, type: 'text', fieldId: await make(column.name) })
  }
  const { letters, separator, start } = found
  return { letters, separator, start, columns }
}
