/** How a file is read: found once, when work on it begins, and the same for every attempt after that. */
import type { Letters } from '../csv/encoding.ts'
import type { Column } from './columns.ts'

export interface Layout {
  letters: Letters
  separator: number
  /** Where the first row begins. */
  start: number
  columns: Column[]
}
