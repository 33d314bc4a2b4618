/** The texts of the page about the workspace. */
import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  logo: 'the logo',
  timezone: 'Time zone',
  timezoneHint: 'For business hours, reports and schedules',
  locale: 'Language of the workspace',
  localeHint: 'A language tag such as en, de or pt-BR',
  alwaysOpen: 'Always open',
  retention: 'Keep messages for',
  retentionHint:
    'Older messages, notes and files are deleted permanently, and closed conversations with their last message. Contacts stay.',
  forever: 'No limit',
  days: (count: number) => `${count} days`,
  security: 'Security',
  requireFactor: 'Members must have a second factor',
  requireHint:
    'Members with a password and without a second factor can only set one up, also in open sessions. API keys are not affected.',
  readOnly: 'Owners and admins change these settings.',
}

const de: typeof en = {
  logo: 'Logo',
  timezone: 'Zeitzone',
  timezoneHint: 'Für Geschäftszeiten, Berichte und Zeitpläne',
  locale: 'Sprache des Arbeitsbereichs',
  localeHint: 'Ein Sprachkürzel wie en, de oder pt-BR',
  alwaysOpen: 'Immer geöffnet',
  retention: 'Nachrichten aufbewahren',
  retentionHint:
    'Ältere Nachrichten, Notizen und Dateien werden endgültig gelöscht, geschlossene Unterhaltungen mit ihrer letzten Nachricht. Kontakte bleiben.',
  forever: 'Unbegrenzt',
  days: (count: number) => `${count} Tage`,
  security: 'Sicherheit',
  requireFactor: 'Mitglieder müssen einen zweiten Faktor haben',
  requireHint:
    'Mitglieder mit Passwort und ohne zweiten Faktor können nur einen einrichten, auch in offenen Sitzungen. API-Schlüssel sind nicht betroffen.',
  readOnly: 'Inhaber und Administratoren ändern diese Einstellungen.',
}

export const texts = screenTexts(en, de)
