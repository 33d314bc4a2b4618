/** The texts of plots and their tables. */
import { screenTexts } from '../i18n/i18n.ts'

const en = {
  asTable: 'Show as table',
  showAll: 'Show all',
  keys: 'Arrow keys move the cursor. Shift and arrow keys select, Enter zooms, Escape shows all.',
}

const de: typeof en = {
  asTable: 'Als Tabelle zeigen',
  showAll: 'Alles zeigen',
  keys: 'Pfeiltasten bewegen die Marke. Umschalt und Pfeiltasten wählen aus, Enter vergrößert, Escape zeigt alles.',
}

export const texts = screenTexts(en, de)
