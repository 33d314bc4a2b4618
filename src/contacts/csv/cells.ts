/**
 * Encodes and decodes the text of cells. Spreadsheets run a cell that begins like a formula, so such texts are written
 * with an apostrophe in front, which decoding removes. Decoding trims cells, so the apostrophe also preserves blanks at
 * either end. Decoding an encoded text returns the same text.
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

export function toCsvCell(text: string): string {
  if (plainCell.test(text)) return text // fast path for most cells
  const safe = escapeFormula(text)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function decodeCells({ bytes, cells }: CsvRecord, encoding: Encoding): string[] {
  const texts: string[] = []
  for (let i = 0; i < cells.length; i += 3) {
    const text = decode(bytes, cells[i]!, cells[i + 1]!, encoding)
    texts.push(unescapeFormula(cells[i + 2] === 2 ? text.replaceAll('""', '"') : text))
  }
  return texts
}

/** Joins names by commas. Names with a separator, a quote or a blank at either end are quoted. */
export function joinNames(names: readonly string[]): string {
  const quoted = (name: string) =>
    /[,;"]/.test(name) || needsEscape.test(name) ? `"${name.replaceAll('"', '""')}"` : name
  return names.map(quoted).join(', ')
}

const namePattern = /\s*(?:"((?:[^"]|"")*)"\s*(?=[,;]|$)|([^,;]*))(?:[,;]|$)/gy

/** Splits names at commas and semicolons and removes duplicates. */
export function splitNames(text: string): string[] {
  const result = new Set<string>()
  for (const [whole, quoted, plain = ''] of text.matchAll(namePattern)) {
    const name = quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')
    if (name !== '') result.add(name)
    if (!/[,;]$/.test(whole)) break
  }
  return [...result]
}
