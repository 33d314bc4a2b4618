/** The texts of the settings of nodes: labels of properties and names of their values. */
import { screenTexts } from '../../i18n/i18n.ts'
import { de } from './texts-de.ts'
import { en } from './texts-en.ts'

export const fieldTexts = screenTexts(en, de)

/** The label of a property; properties of newer services have their own name. */
export const labelProperty = (name: string) => fieldTexts().properties[name] ?? name

/** Whether the settings have no field of this name: the text of a message and the filter of a case are one field each. */
const isPart = (name: string, parent: string | undefined) =>
  name === 'filter' || (name === 'body' && parent === 'text')

/**
 * Names a field of a node by the labels of the settings, such as "Cases 1 › Expression". The path has the names of
 * properties and positions in lists, outermost first.
 */
export function namePath(path: readonly string[]): string {
  const names: string[] = []
  for (const [i, name] of path.entries()) {
    if (/^\d+$/.test(name)) names.push(`${names.pop() ?? ''} ${Number(name) + 1}`.trim())
    else if (name === 'conditions' && /^\d+$/.test(path[i + 1] ?? '')) names.push(labelProperty('condition'))
    else if (!isPart(name, path[i - 1])) names.push(labelProperty(name))
  }
  return names.join(' › ')
}

/** The same for the field of a problem, such as `cases[0].expression`. */
export const nameField = (field: string): string => namePath(field.split(/[.[\]]+/).filter(Boolean))
export const nameValue = (value: string) => fieldTexts().values[value] ?? value
