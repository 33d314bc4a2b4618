/** The texts of the builder in the user's language. */
import { screenTexts } from '../i18n/i18n.ts'
import { de } from './texts-de.ts'
import { en } from './texts-en.ts'

export const texts = screenTexts(en, de)

/** The name of a kind of node; new kinds of the service have its own. */
export const nameNode = (type: string) => texts().nodes[type] ?? type
export const nameOutput = (name: string) => texts().outputs[name] ?? name
