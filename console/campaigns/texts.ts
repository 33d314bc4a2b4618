/** The texts of the campaign list and of what its pages share. */
import { screenTexts } from '../i18n/i18n.ts'
import { countIn } from '../i18n/plural.ts'

const countEn = countIn('en')
const countDe = countIn('de')

const en = {
  name: 'Name',
  audience: 'Audience',
  sentShare: 'Sent',
  replies: 'Replies',
  time: 'Time',
  statuses: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    sending: 'Sending',
    paused: 'Paused',
    sent: 'Sent',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  allStatuses: 'All statuses',
  newCampaign: 'New campaign',
  create: 'Create',
  noCampaigns: 'No campaigns yet. A campaign sends one message to all contacts of a segment.',
  noneWithStatus: 'No campaign has this status.',
  showMore: 'Show more',
  actionsOf: (name: string) => `Actions for ${name}`,
  open: 'Open',
  duplicate: 'Duplicate',
  remove: 'Delete',
  removeQuestion: (name: string) => `Delete “${name}”?`,
  removeHint:
    'The figures and the list of recipients are no longer shown. Sent messages stay in the conversations.',
  removed: (name: string) => `Campaign “${name}” deleted`,
  duplicated: (name: string) => `Campaign “${name}” created`,
  contacts: (n: number) => countEn(n, 'contact', 'contacts'),
  reasons: {
    archived: 'Archived or deleted',
    opted_out: 'Opted out of this channel',
    no_identity: 'No address on this channel',
    window_closed: 'Messaging window closed, and not a template',
    missing_parameter: 'A value that the message needs is missing',
    cancelled: 'Campaign ended before',
  } as Record<string, string>,
  overwritten: 'The campaign changed meanwhile. It was loaded again.',
}

const de: typeof en = {
  name: 'Name',
  audience: 'Empfänger',
  sentShare: 'Gesendet',
  replies: 'Antworten',
  time: 'Zeit',
  statuses: {
    draft: 'Entwurf',
    scheduled: 'Geplant',
    sending: 'Wird gesendet',
    paused: 'Angehalten',
    sent: 'Gesendet',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  allStatuses: 'Alle Zustände',
  newCampaign: 'Neue Kampagne',
  create: 'Anlegen',
  noCampaigns: 'Noch keine Kampagnen. Eine Kampagne sendet eine Nachricht an alle Kontakte eines Segments.',
  noneWithStatus: 'Keine Kampagne hat diesen Zustand.',
  showMore: 'Mehr anzeigen',
  actionsOf: name => `Aktionen für ${name}`,
  open: 'Öffnen',
  duplicate: 'Duplizieren',
  remove: 'Löschen',
  removeQuestion: name => `„${name}“ löschen?`,
  removeHint:
    'Zahlen und Empfängerliste werden nicht mehr angezeigt. Gesendete Nachrichten bleiben in den Unterhaltungen.',
  removed: name => `Kampagne „${name}“ gelöscht`,
  duplicated: name => `Kampagne „${name}“ angelegt`,
  contacts: n => countDe(n, 'Kontakt', 'Kontakte'),
  reasons: {
    archived: 'Archiviert oder gelöscht',
    opted_out: 'Von diesem Kanal abgemeldet',
    no_identity: 'Keine Adresse auf diesem Kanal',
    window_closed: 'Nachrichtenfenster geschlossen, und keine Vorlage',
    missing_parameter: 'Ein Wert, den die Nachricht braucht, fehlt',
    cancelled: 'Die Kampagne endete vorher',
  },
  overwritten: 'Die Kampagne hat sich inzwischen geändert. Sie wurde neu geladen.',
}

export const texts = screenTexts(en, de)
