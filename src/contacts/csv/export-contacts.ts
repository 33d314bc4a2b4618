/**
 * Exports contacts of a workspace as CSV that the import reads back. Contacts are read in keyset pages, each in a
 * statement of its own, so that a long export holds no locks and buffers one page.
 */
import type { Db } from '../../platform/db/db.ts'
import { groupBy } from '../../platform/group-by.ts'
import { yieldEvery } from '../../platform/yield.ts'
import type { Viewer } from '../access.ts'
import { toFieldHeader } from '../import/inspect-file.ts'
import {
  type ExportedContact,
  type ExportSelection,
  type IdRange,
  listExportPage,
  listTagNamesInRange,
} from '../store/export.ts'
import { emailFieldId } from '../tags-and-fields/custom-field-values.ts'
import { type FieldDefinitions, getFieldDefinitions, isPredefined } from '../tags-and-fields/custom-fields.ts'
import { joinNames, toCsvCell } from './cells.ts'

const firstPageSize = 500
const maxPageSize = 5_000
const targetPageLength = 1_000_000
const linesPerChunk = 250

export async function* exportContacts(
  db: Db,
  viewer: Viewer,
  selection: ExportSelection,
): AsyncGenerator<string> {
  const fields = listExportedFields(await getFieldDefinitions(db, viewer.tenantId))
  const fieldHeaders = fields.map(field => toFieldHeader(field.name))
  const header = ['name', 'phone', 'email', 'tags', ...fieldHeaders, 'contactId']
  yield `${header.map(toCsvCell).join(',')}\r\n`
  const maybeYield = yieldEvery()
  const next = (after: string, limit: number) => readPage(db, viewer, { selection, after, limit })
  // The next page is read while this one is written.
  for (let reading = next('', firstPageSize), size = firstPageSize; ; ) {
    const page = await reading
    const last = page.contacts.at(-1)
    if (last === undefined) return
    reading = page.isLast ? Promise.resolve(noPage) : next(last.id, size)
    reading.catch(() => {}) // reported by the await above
    const tags = await page.tags
    let characters = 0
    for (let at = 0; at < page.contacts.length; at += linesPerChunk) {
      const lines = page.contacts
        .slice(at, at + linesPerChunk)
        .map(contact => toCsvLine(contact, tags, fields))
      const text = lines.join('')
      characters += text.length
      yield text
      await maybeYield()
    }
    size = Math.ceil(Math.min(maxPageSize, (targetPageLength * page.contacts.length) / characters))
  }
}

interface Page {
  contacts: ExportedContact[]
  isLast: boolean
  tags: Promise<Map<string, string[]>>
}

const noPage: Page = { contacts: [], isLast: true, tags: Promise.resolve(new Map()) }

async function readPage(
  db: Db,
  viewer: Viewer,
  wanted: { selection: ExportSelection; after: string; limit: number },
): Promise<Page> {
  const rows = await listExportPage(db, viewer, wanted)
  if (rows.length === 0) return noPage
  const tags = loadTagNames(db, viewer.tenantId, { first: rows[0]!.id, last: rows.at(-1)!.id })
  tags.catch(() => {}) // reported where it is awaited
  const contacts = rows.filter((row, i) => row.id !== rows[i - 1]?.id)
  return { contacts, isLast: rows.length < wanted.limit, tags }
}

async function loadTagNames(db: Db, tenantId: string, range: IdRange): Promise<Map<string, string[]>> {
  const tags = groupBy(await listTagNamesInRange(db, tenantId, range), tag => tag.contactId)
  return new Map([...tags].map(([contactId, named]) => [contactId, named.map(tag => tag.name)]))
}

interface ExportedField {
  id: string
  name: string
}

/** Lists all fields except cf_email, which has its own column: cf_phone first, then the oldest first. */
function listExportedFields(definitions: FieldDefinitions): ExportedField[] {
  const rank = ({ id }: ExportedField) => `${isPredefined(id) ? 0 : 1} ${id}`
  const fields = [...definitions.byId.values()].filter(field => field.id !== emailFieldId)
  return fields.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Phone numbers are not escaped: no spreadsheet runs them as a formula. */
function toCsvLine(
  contact: ExportedContact,
  tags: Map<string, string[]>,
  fields: readonly ExportedField[],
): string {
  const { id, name, phone, fields: values } = contact
  const names = tags.get(id)
  let line = `${toOptionalCell(name)},${phone ?? ''},${toOptionalCell(values[emailFieldId])},${names === undefined ? '' : toCsvCell(joinNames(names))}`
  for (const field of fields) line += `,${toOptionalCell(values[field.id])}`
  return `${line},${id}\r\n`
}

function toOptionalCell(text: string | null | undefined): string {
  return text === null || text === undefined ? '' : toCsvCell(text)
}
