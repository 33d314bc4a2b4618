/** The texts of the audit log. */
import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  hint: 'Changes of people, rights, inboxes, webhooks, campaigns and workflows, and access to data. Newest first.',
  none: 'No entry matches.',
  action: 'Action',
  anyAction: 'All actions',
  actor: 'Who',
  anyone: 'Everyone',
  target: 'Id of the target',
  from: 'From',
  to: 'To',
  badRange: 'The end is before the beginning.',
  system: 'System',
  users: 'Users',
  serviceAccount: 'Service account',
  serviceAccounts: 'Service accounts',
  unknown: 'Deleted user',
  apply: 'Filter',
  clear: 'Clear the filter',
  before: 'Before',
  after: 'After',
  details: 'Details',
  onlyTarget: (id: string) => `Show only entries about ${id}`,
  nothing: 'empty',
}

const de: typeof en = {
  hint: 'Änderungen an Personen, Rechten, Posteingängen, Webhooks, Kampagnen und Workflows und Zugriffe auf Daten. Neueste zuerst.',
  none: 'Kein Eintrag passt.',
  action: 'Aktion',
  anyAction: 'Alle Aktionen',
  actor: 'Wer',
  anyone: 'Alle',
  target: 'Id des Ziels',
  from: 'Von',
  to: 'Bis',
  badRange: 'Das Ende liegt vor dem Anfang.',
  system: 'System',
  users: 'Benutzer',
  serviceAccount: 'Dienstkonto',
  serviceAccounts: 'Dienstkonten',
  unknown: 'Gelöschter Benutzer',
  apply: 'Filtern',
  clear: 'Filter entfernen',
  before: 'Vorher',
  after: 'Nachher',
  details: 'Einzelheiten',
  onlyTarget: id => `Nur Einträge über ${id} zeigen`,
  nothing: 'leer',
}

export const texts = screenTexts(en, de)
