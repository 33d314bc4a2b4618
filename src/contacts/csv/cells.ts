/**
 * The text of cells. A spreadsheet runs a cell that begins like a formula, so what we write never does: such texts get
 * an apostrophe in front, and reading takes it off again. Reading trims cells, so the apostrophe also keeps blanks at
 * either end. Writing and reading undo each other for every text there is.
 */
import { decode, type Encoding } from './encoding.ts'
import type { CsvRecord } from './records.ts'

const needsEscape = /^'*[=+\-@＝＋－＠\s]|\s$/u

export function escapeFormula(text: string): string {
  return needsEscape.test(text) ? `'${text}` : text
}

export function unescapeFormula(cell: string): string {
  if (cell.startsWith("'") && needsEscape.test(cell.slice(1))) return cell.slice(1)
  return cell.trim()
}

const plainCell = /^[A-Za-z0-9](?:[A-Za-z0-9@._:/ -]*[A-Za-z0-9])?$/

/** A cell as it stands in a file of ours. */
export function toCsvCell(text: string): string {
  if (plainCell.test(text)) return text // as most are
  const safe = escapeFormula(text)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The cells of a record, as they were before they were written. */
export function decodeCells({ bytes, cells }: CsvRecord, encoding: Encoding): string[] {
  const texts: string[] = []
  for (let i = 0; i < cells.length; i += 3) {
    const text = decode(bytes, cells[i]!, cells[i + 1]!, encoding)
    texts.push(unescapeFormula(cells[i + 2] === 2 ? text.replaceAll('""', '"') : text))
  }
  return texts
}

/** Names joined by commas; one that has a separator, a quote or a blank end is in quotes. */
export function joinNames(names: readonly string[]): string {
  const quoted = (name: string) =>
    /[,;"]/.test(name) || needsEscape.test(name) ? `"${name.replaceAll('"', '""')}"` : name
  return names.map(quoted).join(', ')
}

const namePattern = /\s*(?:"((?:[^"]|"")*)"\s*(?=[,;]|$)|([^,;]*))(?:[,;]|$)/gy

/** Names separated by commas or semicolons, without repeats. */
export function splitNames(text: string): string[] {
  const found = new Set<string>()
  for (const [whole, quoted, plain = ''] of text.matchAll(namePattern)) {
    const name = quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')
    if (name !== '') found.add(name)
    if (!/[,;]$/.test(whole)) break
  }
  return [...found]
}
