/** The texts of the settings of shortcuts. */
import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  lists: 'Lists',
  next: 'Next entry',
  previous: 'Previous entry',
  second: (label: string) => `${label} (second key)`,
  search: 'Search in the list',
  create: 'New entry',
  select: 'Select or unselect the entry',
  selectAll: 'Select all loaded entries',
  selectMatching: 'Select all entries that match',
  close: 'Close or reopen',
  scheduled: 'Scheduled messages',
  along: (label: string, direction: string) => `${label}: ${direction}`,
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  singleKeys: 'Keys without ⌘ or Ctrl',
  changeKeyOf: (label: string) => `Change the key of “${label}”`,
  resetKeyOf: (label: string) => `Reset the key of “${label}”`,
  pressKey: 'Press a key…',
  pressNext: 'A second key, or Enter',
  taken: (keys: string, label: string, screen: string) =>
    `${keys} already belongs to “${label}” (${screen}). Choose another key, or change that one first.`,
  reserved: (keys: string) => `${keys} is needed to operate the page or to edit text. Choose another key.`,
}

const de: typeof en = {
  lists: 'Listen',
  next: 'Nächster Eintrag',
  previous: 'Voriger Eintrag',
  second: label => `${label} (zweite Taste)`,
  search: 'In der Liste suchen',
  create: 'Neuer Eintrag',
  select: 'Eintrag auswählen oder abwählen',
  selectAll: 'Alle geladenen Einträge auswählen',
  selectMatching: 'Alle passenden Einträge auswählen',
  close: 'Schließen oder wieder öffnen',
  scheduled: 'Geplante Nachrichten',
  along: (label, direction) => `${label}: ${direction}`,
  left: 'links',
  right: 'rechts',
  up: 'oben',
  down: 'unten',
  singleKeys: 'Tasten ohne ⌘ oder Strg',
  changeKeyOf: label => `Taste für „${label}“ ändern`,
  resetKeyOf: label => `Zurücksetzen: Taste für „${label}“`,
  pressKey: 'Taste drücken …',
  pressNext: 'Zweite Taste oder Eingabetaste',
  taken: (keys, label, screen) =>
    `${keys} gehört schon zu „${label}“ (${screen}). Wählen Sie eine andere Taste, oder ändern Sie zuerst jene.`,
  reserved: keys =>
    `${keys} wird zum Bedienen der Seite oder zum Bearbeiten von Text gebraucht. Wählen Sie eine andere Taste.`,
}

export const texts = screenTexts(en, de)
