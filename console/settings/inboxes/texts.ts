/** The texts of the pages about inboxes. */
import { screenTexts } from '../../i18n/i18n.ts'
import { countIn } from '../../i18n/plural.ts'

const countEn = countIn('en')
const countDe = countIn('de')

const en = {
  hint: 'An inbox is a number or an account through which customers write to you.',
  none: 'No inbox is connected yet.',
  connect: 'Connect an inbox',
  states: { active: 'Active', degraded: 'Degraded', disconnected: 'Disconnected' },
  issues: {
    auth_expired: {
      what: 'The provider rejects the token. Messages wait.',
      fix: 'Create a new token at the provider and save it below “Token”. Waiting messages are then sent.',
    },
    payment_issue: {
      what: 'The provider refuses messages because of a payment issue. Messages wait.',
      fix: 'Check the payment method at the provider, then check the inbox here.',
    },
    quality_low: {
      what: 'The provider rates the quality of your messages as low.',
      fix: 'Send fewer unexpected messages; the rating recovers within days. A low rating limits how many customers you reach.',
    },
    rate_limited: {
      what: 'The provider limits the rate of messages.',
      fix: 'Nothing to do: messages are sent more slowly.',
    },
    webhook_failing: {
      what: 'The provider does not send events to this installation. New messages of customers may be missing.',
      fix: 'Check that PUBLIC_URL can be reached from the internet, then register the callbacks again.',
    },
    account_locked: {
      what: 'The provider has locked the account.',
      fix: 'Ask the support of the provider to unlock it, then check the inbox here.',
    },
    account_unknown: {
      what: 'The provider does not know this number or account.',
      fix: 'Check whether it was moved or deleted at the provider. If it no longer exists, delete this inbox.',
    },
  } as Record<string, { what: string; fix: string }>,
  sinceTime: (time: string) => `Since ${time}`,
  team: 'Team',
  fallbackTeam: 'No team',
  lastCallback: 'Last event',
  never: 'Never',
  rate: 'Rate',
  perSecond: (n: string) => `${n} messages per second`,
  unlimited: 'Not limited',
  failures: 'Failed in 24 hours',
  lastCheck: 'Last check',
  address: 'Address',
  channel: 'Channel',
  health: 'Health',
  checkNow: 'Check now',
  checkOk: 'The provider accepts the token and the number.',
  checkFailed: (reason: string) => `The check failed: ${reason}`,
  callbacks: {
    registered: 'Events arrive here.',
    missing: 'The provider sends events nowhere.',
    elsewhere: 'The provider sends events to another URL.',
  },
  register: 'Register the callbacks again',
  registerHint: 'Takes the events back. Do this only if no other installation uses the number.',
  registering: 'The callbacks are being registered.',
  settings: 'Settings',
  teamHint: 'New conversations go to this team. Open ones keep theirs.',
  workspaceHours: 'As in the workspace',
  greeting: 'Greeting',
  greetingHint: 'Sent once to a customer who opens a conversation. Empty: nothing is sent.',
  away: 'Away message',
  awayHint: 'Sent once to a customer who writes outside of the business hours. Empty: nothing is sent.',
  survey: 'Satisfaction survey',
  surveyHint:
    'Asks customers for a rating from 1 to 5 after their conversation was closed, once per conversation.',
  surveyOn: 'Send a survey',
  surveyQuestion: 'Question',
  surveyQuestionDefault: 'How satisfied are you with our help?',
  surveyQuestionHint: 'Sent with a list, buttons or numbered lines, as the channel allows.',
  surveyDelay: 'When',
  surveyDelayOf: (minutes: number) =>
    minutes === 0
      ? 'Right after closing'
      : minutes % 60 === 0
        ? `${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'} after closing`
        : `${minutes} minutes after closing`,
  commentQuestion: 'Question for a comment',
  commentQuestionHint:
    'Sent after the rating; the next message within an hour is the comment. Empty: nothing is asked.',
  token: 'Token',
  newToken: 'New token',
  tokenHint:
    'The stored token is never shown. The new one is tried first and replaces it only if the provider accepts it.',
  saveToken: 'Save the token',
  tokenSaved: 'Token saved. The provider accepts it.',
  tokenRefused: 'The provider rejects this token. The stored one stays.',
  templates: 'Templates',
  noTemplates: 'The provider has no templates for this number. They are created there, and then listed here.',
  flows: 'Flows',
  noFlows:
    'The provider has no published flows for this number. They are created there, and then listed here.',
  previewOf: (name: string) => `Preview of ${name}`,
  noScreens: 'This flow has no screens.',
  screenOf: (n: number, total: number) => `Screen ${n} of ${total}`,
  optional: 'optional',
  headers: { IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document', LOCATION: 'Location' } as Record<
    string,
    string
  >,
  fieldKinds: { input: 'Text', date: 'Date', file: 'File' },
  delete: 'Delete the inbox',
  deleteHint: 'Disconnects the number or account.',
  deleteQuestion: (name: string) => `Delete the inbox ${name}?`,
  effects: (open: string | undefined) => [
    open ? `${open} in this inbox: they are closed.` : 'Its open conversations are closed.',
    'Messages that are not sent yet fail.',
    'Campaigns, journeys and chatbots that use this inbox cannot send through it.',
    'The number or account is released and can be connected again, here or elsewhere.',
    'Earlier messages stay readable.',
  ],
  openConversations: (n: number) => countEn(n, 'open conversation', 'open conversations'),
  providerUnavailable: 'The provider does not answer. Try again later.',
}

const de: typeof en = {
  hint: 'Ein Posteingang ist eine Nummer oder ein Konto, über das Kunden Ihnen schreiben.',
  none: 'Noch kein Posteingang ist verbunden.',
  connect: 'Posteingang verbinden',
  states: { active: 'Aktiv', degraded: 'Eingeschränkt', disconnected: 'Getrennt' },
  issues: {
    auth_expired: {
      what: 'Der Anbieter lehnt das Token ab. Nachrichten warten.',
      fix: 'Erstellen Sie beim Anbieter ein neues Token und speichern Sie es unter „Token“. Wartende Nachrichten werden dann gesendet.',
    },
    payment_issue: {
      what: 'Der Anbieter lehnt Nachrichten wegen eines Zahlungsproblems ab. Nachrichten warten.',
      fix: 'Prüfen Sie die Zahlungsart beim Anbieter, dann hier den Posteingang.',
    },
    quality_low: {
      what: 'Der Anbieter bewertet die Qualität Ihrer Nachrichten als niedrig.',
      fix: 'Senden Sie weniger unerwartete Nachrichten; die Bewertung erholt sich in Tagen. Sie begrenzt, wie viele Kunden Sie erreichen.',
    },
    rate_limited: {
      what: 'Der Anbieter begrenzt die Rate der Nachrichten.',
      fix: 'Nichts zu tun: Nachrichten werden langsamer gesendet.',
    },
    webhook_failing: {
      what: 'Der Anbieter sendet keine Ereignisse an diese Installation. Neue Nachrichten von Kunden können fehlen.',
      fix: 'Prüfen Sie, ob PUBLIC_URL aus dem Internet erreichbar ist, dann registrieren Sie die Rückrufe erneut.',
    },
    account_locked: {
      what: 'Der Anbieter hat das Konto gesperrt.',
      fix: 'Bitten Sie den Support des Anbieters, es zu entsperren, dann prüfen Sie hier den Posteingang.',
    },
    account_unknown: {
      what: 'Der Anbieter kennt diese Nummer oder dieses Konto nicht.',
      fix: 'Prüfen Sie, ob es beim Anbieter verschoben oder gelöscht wurde. Wenn es fort ist, löschen Sie diesen Posteingang.',
    },
  },
  sinceTime: time => `Seit ${time}`,
  team: 'Team',
  fallbackTeam: 'Kein Team',
  lastCallback: 'Letztes Ereignis',
  never: 'Nie',
  rate: 'Rate',
  perSecond: n => `${n} Nachrichten pro Sekunde`,
  unlimited: 'Nicht begrenzt',
  failures: 'Fehlgeschlagen in 24 Stunden',
  lastCheck: 'Letzte Prüfung',
  address: 'Adresse',
  channel: 'Kanal',
  health: 'Zustand',
  checkNow: 'Jetzt prüfen',
  checkOk: 'Der Anbieter nimmt das Token an und kennt die Nummer.',
  checkFailed: reason => `Die Prüfung ist fehlgeschlagen: ${reason}`,
  callbacks: {
    registered: 'Ereignisse kommen hier an.',
    missing: 'Der Anbieter sendet Ereignisse nirgendwohin.',
    elsewhere: 'Der Anbieter sendet Ereignisse an eine andere Adresse.',
  },
  register: 'Rückrufe erneut registrieren',
  registerHint: 'Holt die Ereignisse zurück. Nur, wenn keine andere Installation die Nummer benutzt.',
  registering: 'Die Rückrufe werden registriert.',
  settings: 'Einstellungen',
  teamHint: 'Neue Unterhaltungen gehen an dieses Team. Offene behalten ihres.',
  workspaceHours: 'Wie im Arbeitsbereich',
  greeting: 'Begrüßung',
  greetingHint: 'Einmal an Kunden, die eine Unterhaltung beginnen. Leer: nichts wird gesendet.',
  away: 'Abwesenheitsnachricht',
  awayHint: 'Einmal an Kunden, die außerhalb der Geschäftszeiten schreiben. Leer: nichts wird gesendet.',
  survey: 'Zufriedenheitsumfrage',
  surveyHint:
    'Bittet Kunden einmal je Unterhaltung um eine Bewertung von 1 bis 5, nachdem sie geschlossen wurde.',
  surveyOn: 'Umfrage senden',
  surveyQuestion: 'Frage',
  surveyQuestionDefault: 'Wie zufrieden sind Sie mit unserer Hilfe?',
  surveyQuestionHint: 'Wird mit einer Liste, Knöpfen oder nummerierten Zeilen gesendet, je nach Kanal.',
  surveyDelay: 'Wann',
  surveyDelayOf: minutes =>
    minutes === 0
      ? 'Gleich nach dem Schließen'
      : minutes % 60 === 0
        ? `${minutes / 60} ${minutes === 60 ? 'Stunde' : 'Stunden'} nach dem Schließen`
        : `${minutes} Minuten nach dem Schließen`,
  commentQuestion: 'Frage nach einem Kommentar',
  commentQuestionHint:
    'Wird nach der Bewertung gesendet; die nächste Nachricht innerhalb einer Stunde ist der Kommentar. Leer: keine Frage.',
  token: 'Token',
  newToken: 'Neues Token',
  tokenHint:
    'Das gespeicherte Token wird nie gezeigt. Das neue wird zuerst geprüft und ersetzt es nur, wenn der Anbieter es annimmt.',
  saveToken: 'Token speichern',
  tokenSaved: 'Token gespeichert. Der Anbieter nimmt es an.',
  tokenRefused: 'Der Anbieter lehnt dieses Token ab. Das gespeicherte bleibt.',
  templates: 'Vorlagen',
  noTemplates:
    'Der Anbieter hat keine Vorlagen für diese Nummer. Sie werden dort erstellt und dann hier aufgeführt.',
  flows: 'Flows',
  noFlows:
    'Der Anbieter hat keine veröffentlichten Flows für diese Nummer. Sie werden dort erstellt und dann hier aufgeführt.',
  previewOf: name => `Vorschau von ${name}`,
  noScreens: 'Dieser Flow hat keine Seiten.',
  screenOf: (n, total) => `Seite ${n} von ${total}`,
  optional: 'freiwillig',
  headers: { IMAGE: 'Bild', VIDEO: 'Video', DOCUMENT: 'Dokument', LOCATION: 'Standort' },
  fieldKinds: { input: 'Text', date: 'Datum', file: 'Datei' },
  delete: 'Posteingang löschen',
  deleteHint: 'Trennt die Nummer oder das Konto.',
  deleteQuestion: name => `Posteingang ${name} löschen?`,
  effects: open => [
    open
      ? `${open} in diesem Posteingang: sie werden geschlossen.`
      : 'Offene Unterhaltungen werden geschlossen.',
    'Nachrichten, die noch nicht gesendet sind, schlagen fehl.',
    'Kampagnen, Journeys und Chatbots mit diesem Posteingang können nicht mehr über ihn senden.',
    'Die Nummer oder das Konto wird frei und kann hier oder anderswo wieder verbunden werden.',
    'Frühere Nachrichten bleiben lesbar.',
  ],
  openConversations: n => countDe(n, 'offene Unterhaltung', 'offene Unterhaltungen'),
  providerUnavailable: 'Der Anbieter antwortet nicht. Versuchen Sie es später wieder.',
}

export const texts = screenTexts(en, de)
