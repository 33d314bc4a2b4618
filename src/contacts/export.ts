/**
 * All contacts of a workspace as CSV, in the form the import reads back. Contacts are read in pages by key, each in a
 * statement of its own: an export that takes long holds nothing back, and one page at a time is all it keeps.
 */
import type { Db } from '../platform/db/db.ts'
import { joinNames, written } from './csv/cells.ts'
import { type FieldBook, fieldBook, isPredefined } from './fields.ts'
import { fieldHeader } from './import/columns.ts'
import { pace } from './import/pace.ts'
import { type ExportedContact, pageForExport, type Range, tagsInRange } from './store/export.ts'
import { emailField } from './values.ts'
import type { Viewer } from './visibility.ts'

const firstPage = 500
const largestPage = 5_000
const pageCharacters = 1_000_000
const linesAtOnce = 250

export async function* exportContacts(db: Db, viewer: Viewer, archived: boolean): AsyncGenerator<string> {
  const fields = fieldsOf(await fieldBook(db, viewer.tenantId))
  const own = fields.map(field => fieldHeader(field.name))
  const header = ['name', 'phone', 'email', 'tags', ...own, 'contactId']
  yield `${header.map(written).join(',')}\r\n`
  const breathe = pace()
  const next = (after: string, limit: number) => readPage(db, viewer, { archived, after, limit })
  // The database is at the next page while this one is written.
  for (let reading = next('', firstPage), size = firstPage; ; ) {
    const page = await reading
    const last = page.contacts.at(-1)
    if (last === undefined) return
    reading = page.isLast ? Promise.resolve(noPage) : next(last.id, size)
    reading.catch(() => {}) // told by the await above
    const tags = await page.tags
    let characters = 0
    for (let at = 0; at < page.contacts.length; at += linesAtOnce) {
      const lines = page.contacts.slice(at, at + linesAtOnce).map(contact => lineOf(contact, tags, fields))
      const text = lines.join('')
      characters += text.length
      yield text
      await breathe()
    }
    size = Math.ceil(Math.min(largestPage, (pageCharacters * page.contacts.length) / characters))
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
  wanted: { archived: boolean; after: string; limit: number },
): Promise<Page> {
  const rows = await pageForExport(db, viewer, wanted)
  if (rows.length === 0) return noPage
  const tags = tagsOf(db, viewer.tenantId, { first: rows[0]!.id, last: rows.at(-1)!.id })
  tags.catch(() => {}) // told by whoever awaits it
  const contacts = rows.filter((row, i) => row.id !== rows[i - 1]?.id)
  return { contacts, isLast: rows.length < wanted.limit, tags }
}

async function tagsOf(db: Db, tenantId: string, range: Range): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>()
  for (const { contactId, name } of await tagsInRange(db, tenantId, range)) {
    const names = tags.get(contactId)
    if (names) names.push(name)
    else tags.set(contactId, [name])
  }
  return tags
}

interface Field {
  id: string
  name: string
}

/** Every field but the one that has a column of its own: the predefined one, then the oldest first. */
function fieldsOf(book: FieldBook): Field[] {
  const rank = ({ id }: Field) => `${isPredefined(id) ? 0 : 1} ${id}`
  const fields = [...book.byId.values()].filter(field => field.id !== emailField)
  return fields.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Phone numbers are only digits, which no spreadsheet runs: they stay as they are. */
function lineOf(contact: ExportedContact, tags: Map<string, string[]>, fields: readonly Field[]): string {
  const { id, name, phone, fields: values } = contact
  const names = tags.get(id)
  let line = `${cell(name)},${phone ?? ''},${cell(values[emailField])},${names === undefined ? '' : written(joinNames(names))}`
  for (const field of fields) line += `,${cell(values[field.id])}`
  return `${line},${id}\r\n`
}

function cell(text: string | null | undefined): string {
  return text === null || text === undefined ? '' : written(text)
}
