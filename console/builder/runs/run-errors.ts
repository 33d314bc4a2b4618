/**
 * Why a step or a run failed, in the user's language. The codes are stable; the service words them in English, with the
 * names and limits that they concern. A code without a text keeps the words of the service.
 */
import { language } from '../../i18n/i18n.ts'

export interface RunError {
  code: string
  message?: string | null | undefined
}

type Describe = string | ((message: string) => string)

const withDetail = (text: string) => (message: string) => (message === '' ? text : `${text}: ${message}`)
const withNames = (text: string) => (message: string) =>
  [text, ...[...message.matchAll(/"([^"]*)"/g)].map(([, name]) => `„${name}“`)].join(' ')
const getNumber = (message: string) => /\d+/.exec(message)?.[0]

const german: Record<string, Describe> = {
  // The run
  too_many_steps: message => `Der Durchlauf hat ${getNumber(message) ?? 'zu viele'} Schritte gebraucht`,
  unknown_node: 'Den Knoten gibt es in dieser Version nicht',
  expression_failed: withDetail('Der Ausdruck konnte nicht berechnet werden'),
  workers_died:
    'Prozesse des Dienstes sind bei diesem Schritt mehrmals abgestürzt. Wiederholen Sie den Durchlauf, wenn die Ursache behoben ist.',
  step_failed:
    'Der Schritt ist mehrmals gescheitert. Das Protokoll des Dienstes nennt die Ursache; wiederholen Sie danach den Durchlauf.',
  data_too_large: 'Die Daten des Ereignisses sind zu groß',
  text_too_large: 'Die Platzhalter fügen einem Schritt mehr als 256 KiB hinzu',
  variables_too_large: 'Die Variablen des Durchlaufs sind größer als 64 KiB',
  unknown_custom_field: 'Das Feld wurde gelöscht',
  invalid_value: withDetail('Der Wert passt nicht zum Feld'),

  // Messages
  archived: 'Der Kontakt ist archiviert',
  opted_out: 'Der Kontakt hat sich von diesem Kanal abgemeldet',
  no_identity: 'Der Kontakt hat auf diesem Kanal keine Adresse',
  no_inbox: 'Der Arbeitsbereich hat keinen Posteingang',
  inbox_not_found: 'Der Posteingang wurde gelöscht',
  window_closed: 'Das Nachrichtenfenster ist geschlossen; möglich ist nur eine Vorlage',
  content_invalid: withDetail('Der Inhalt ist nicht gültig'),
  content_unsupported: withDetail('Der Kanal kann diesen Inhalt nicht senden'),
  automation_limit: message =>
    `Der Kontakt hat in einer Minute ${getNumber(message) ?? 'zu viele'} automatische Nachrichten bekommen; prüfen Sie den Ablauf auf eine Schleife`,
  owned_by_user: 'Ein Benutzer hat die Unterhaltung übernommen',
  not_owner: 'Die Unterhaltung gehört dem Bot nicht mehr',
  not_visible: 'Wer veröffentlicht hat, sieht den Kontakt nicht',
  recipient_unreachable: 'Der Empfänger ist nicht erreichbar',

  // Other effects
  no_conversation: 'Der Kontakt hat keine Unterhaltung',
  user_not_available: 'Der Benutzer ist gesperrt oder gelöscht',
  no_team: 'Die Unterhaltung hat kein Team',
  nobody_available: 'Niemand im Team ist verfügbar',
  team_not_found: 'Das Team wurde gelöscht',
  'the tag was deleted': 'Das Tag wurde gelöscht',
  cause_too_deep: 'Zu viele Journeys haben einander gestartet',
  journey_not_active: 'Die Journey ist nicht aktiv',
  conditions_not_met: 'Der Kontakt erfüllt die Bedingungen nicht',
  entered_before: 'Der Kontakt ist schon eingetreten',

  // HTTP requests
  secret_not_found: withNames('Dieses Geheimnis wurde gelöscht:'),
  invalid_url: withDetail('Die Adresse ist nicht gültig'),
  forbidden_address: 'Diese Adresse darf der Dienst nicht aufrufen',
  dns_failed: withDetail('Den Namen des Servers gibt es nicht'),
  connect_failed: withDetail('Die Verbindung ist gescheitert'),
  tls_failed: withDetail('Die verschlüsselte Verbindung ist gescheitert'),
  response_too_large: 'Die Antwort ist zu groß',
  invalid_request: withDetail('Die Anfrage kann nicht gesendet werden'),
  invalid_response: 'Die Antwort ist kein gültiges HTTP',
  closed: 'Die Verbindung wurde vor dem Ende der Antwort geschlossen',
  timeout: 'Keine Antwort in der Frist',
  busy: 'Zu viele Anfragen waren gleichzeitig unterwegs',
  aborted: 'Die Anfrage wurde abgebrochen',
}

/** Returns what went wrong, without the code. */
export function explainError({ code, message }: RunError): string {
  const text = language.get() === 'de' ? german[code] : undefined
  if (text === undefined) return message || code
  return typeof text === 'string' ? text : text(message ?? '')
}

/** Returns what went wrong with its code, which the documentation lists. */
export const describeError = (error: RunError): string => {
  const text = explainError(error)
  return text === error.code ? text : `${error.code}: ${text}`
}
