/** How a file is read: found once, when work on it begins, and the same for every attempt after that. */
import type { TextEncoding } from '../csv/encoding.ts'
import type { Column } from './parse-header.ts'

export interface FileFormat {
  encoding: TextEncoding
  separator: number
  /** Where the first row begins. */
  start: number
  columns: Column[]
}
