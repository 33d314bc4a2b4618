/** Describes a kind of node, in the user's language. */
import { language } from '../../i18n/i18n.ts'
import type { NodeType } from '../model/definition.ts'
import { helpInGerman } from './help-de.ts'

/** A kind of a newer service keeps its words; the marks of Markdown are left out. */
export const getHelp = ({ type, docs }: NodeType): string =>
  (language.get() === 'de' ? helpInGerman[type] : undefined) ?? docs.replaceAll('`', '')
