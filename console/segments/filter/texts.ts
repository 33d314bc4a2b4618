/** The texts of the condition editor and of the sentence that says what a filter means. */
import { screenTexts } from '../../i18n/i18n.ts'
import { germanTexts } from './texts-de.ts'
import { english } from './texts-en.ts'

export const filterTexts = screenTexts(english, germanTexts)
