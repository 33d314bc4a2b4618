/** Texts of the events of a conversation, such as its assignment. */
import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  opened: 'Conversation opened',
  reopened: (by: string | undefined) => (by ? `Reopened by ${by}` : 'Reopened'),
  closed: (by: string | undefined) => (by ? `Closed by ${by}` : 'Closed'),
  assigned: (to: string, by: string | undefined) => (by ? `Assigned to ${to} by ${by}` : `Assigned to ${to}`),
  taken: (by: string) => `${by} took the conversation`,
  takenByYou: 'You took the conversation',
  unassigned: (by: string | undefined) => (by ? `Assigned to nobody by ${by}` : 'Assigned to nobody'),
  handedOver: (to: string) => `The bot handed over to ${to}`,
  inboxChanged: 'Continued on another inbox',
  contactChanged: (by: string | undefined) =>
    by ? `Moved to another contact by ${by}` : 'Moved to another contact',
  labelled: (label: string, by: string | undefined) =>
    by ? `Label “${label}” added by ${by}` : `Label “${label}” added`,
  unlabelled: (label: string, by: string | undefined) =>
    by ? `Label “${label}” removed by ${by}` : `Label “${label}” removed`,
  optedOut: 'The customer opted out',
  optedIn: 'The customer opted in',
  rated: (rating: string) => `The customer’s rating: ${rating} of 5`,
  ratingChanged: (rating: string) => `The customer changed the rating to ${rating} of 5`,
  commented: (comment: string) => `The customer on the rating: “${comment}”`,
}

const de: typeof en = {
  opened: 'Unterhaltung begonnen',
  reopened: by => (by ? `Wieder geöffnet von ${by}` : 'Wieder geöffnet'),
  closed: by => (by ? `Geschlossen von ${by}` : 'Geschlossen'),
  assigned: (to, by) => (by ? `${to} zugewiesen von ${by}` : `${to} zugewiesen`),
  taken: by => `${by} hat die Unterhaltung übernommen`,
  takenByYou: 'Sie haben die Unterhaltung übernommen',
  unassigned: by => (by ? `Zuweisung aufgehoben von ${by}` : 'Zuweisung aufgehoben'),
  handedOver: to => `Vom Bot übergeben an ${to}`,
  inboxChanged: 'Über einen anderen Posteingang fortgesetzt',
  contactChanged: by =>
    by ? `Einem anderen Kontakt zugeordnet von ${by}` : 'Einem anderen Kontakt zugeordnet',
  labelled: (label, by) => (by ? `Label „${label}“ hinzugefügt von ${by}` : `Label „${label}“ hinzugefügt`),
  unlabelled: (label, by) => (by ? `Label „${label}“ entfernt von ${by}` : `Label „${label}“ entfernt`),
  optedOut: 'Der Kunde hat sich abgemeldet',
  optedIn: 'Der Kunde hat sich wieder angemeldet',
  rated: rating => `Bewertung des Kunden: ${rating} von 5`,
  ratingChanged: rating => `Der Kunde hat die Bewertung auf ${rating} von 5 geändert`,
  commented: comment => `Der Kunde zur Bewertung: „${comment}“`,
}

export const texts = screenTexts(en, de)
