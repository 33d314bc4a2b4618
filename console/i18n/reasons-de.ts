/**
 * Why the service refuses a value, in German, by the code of the violation. The service words it in English, with the names
 * and limits that it concerns: these are taken over. A code without a text keeps the words of the service.
 */
import type { Violation } from '../api/errors.ts'

type Describe = string | ((message: string) => string)
export type Reason = Pick<Violation, 'code' | 'message'>

const getNames = (message: string) =>
  [...message.replace(/; did you mean .*/, '').matchAll(/"([^"]*)"/g)]
    .map(([, name]) => `„${name}“`)
    .join(', ')
const getNumber = (message: string) => /-?\d+(\.\d+)?/.exec(message)?.[0] ?? ''
const getList = (message: string) => /one of ([^;]*)/.exec(message)?.[1]?.replace(/\)$/, '')

const withList = (text: string, otherwise: string) => (message: string) => {
  const list = getList(message)
  return list === undefined ? otherwise : `${text}: ${list}`
}
const withNumber = (before: string, after: string) => (message: string) =>
  `${before} ${getNumber(message)} ${after}`.trim()
const withDetail = (text: string) => (message: string) => `${text}: ${message}`
const unknown = (what: string) => `${what} gibt es in diesem Arbeitsbereich nicht`

const german: Record<string, Describe> = {
  // Values that do not match their schema
  required: withList('genau eines davon angeben', 'fehlt'),
  invalid: 'ist ungültig',
  invalid_value: withList('muss einer dieser Werte sein', 'ist kein erlaubter Wert'),
  invalid_type: 'hat eine falsche Form',
  invalid_format: message => (message.includes('blank') ? 'darf nicht leer sein' : 'hat ein falsches Format'),
  too_short: message =>
    message.includes('empty') ? 'darf nicht leer sein' : withNumber('mindestens', 'Zeichen')(message),
  too_long: withNumber('höchstens', 'Zeichen'),
  too_small: withNumber('der Wert ist zu klein; die Grenze ist', ''),
  too_large: withNumber('der Wert ist zu groß; die Grenze ist', ''),
  too_few: withNumber('mindestens', 'Einträge'),
  too_many: withNumber('höchstens', 'Einträge'),
  unknown_property: 'ist keine bekannte Eigenschaft',
  duplicate: message => `kommt doppelt vor ${getNames(message)}`.trim(),
  conflict: withDetail('passt nicht zu den anderen Angaben'),
  unexpected: withDetail('darf hier nicht angegeben sein'),
  not_allowed: 'ist hier nicht erlaubt',

  // The flow
  start_missing: 'Der Startknoten fehlt',
  start_repeated: 'Es darf nur einen Startknoten geben',
  unknown_type: 'Diese Art von Knoten gibt es nicht',
  misplaced: 'Dieser Knoten ist hier nicht erlaubt',
  unknown_node: message => `Den Knoten ${getNames(message)} gibt es nicht`,
  no_output: 'Dieser Knoten hat keine Ausgänge',
  unknown_output: withList('Den Ausgang gibt es nicht; vorhanden', 'Den Ausgang gibt es nicht'),
  output_taken: message => `Von diesem Ausgang führt schon eine Verbindung weg: ${getNames(message)}`,
  unreachable: 'ist vom Start aus nicht erreichbar',
  loop_without_wait: message => `ist Teil einer Schleife, in der nichts wartet: ${getNames(message)}`,
  jump_to_jump: 'darf nicht zu einem anderen Sprung führen',

  // References
  unknown_tag: unknown('Dieses Tag'),
  unknown_custom_field: unknown('Dieses Feld'),
  unknown_segment: unknown('Dieses Segment'),
  unknown_inbox: unknown('Diesen Posteingang'),
  unknown_team: unknown('Dieses Team'),
  unknown_user: unknown('Diesen Benutzer'),
  unknown_secret: unknown('Dieses Geheimnis'),
  unknown_journey: unknown('Diese Journey'),
  unknown_chatbot: unknown('Diesen Chatbot'),
  unknown_campaign: unknown('Diese Kampagne'),
  unknown_media: unknown('Diese Datei'),
  unknown_field: unknown('Dieses Feld'),
  unknown_contact: unknown('Diesen Kontakt'),
  unknown_label: unknown('Dieses Label'),
  unknown_bot: 'Diesen aktiven Chatbot gibt es nicht',
  unknown_saved_reply: unknown('Diese gespeicherte Antwort'),
  unknown_message: 'Diese Nachricht gibt es in dieser Unterhaltung nicht',
  unknown_entry: 'Diesen Eintrag gibt es in dieser Unterhaltung nicht',
  unknown_choice: 'Diese Auswahl gibt es in dieser Unterhaltung nicht',
  unknown_scope: 'Diese Berechtigung hat die Rolle nicht',
  unknown_locale: 'muss eine Sprache wie de-CH sein',
  unknown_workflow_template: 'Diese Vorlage gibt es nicht',
  wrong_field_type: withDetail('Das Feld hat einen anderen Typ'),
  template_unknown: unknown('Diese Vorlage'),
  flow_unknown: unknown('Diesen Flow'),
  template_not_approved: 'Diese Vorlage ist beim Anbieter nicht freigegeben',
  missing_parameter: withDetail('Ein Wert für die Vorlage fehlt'),
  extra_parameter: 'Die Vorlage hat dafür keinen Platzhalter',
  content_unsupported: withDetail('Der Kanal kann diesen Inhalt nicht senden'),

  // Texts and expressions
  invalid_expression: message =>
    message.startsWith('must be true or false')
      ? `Der Ausdruck muss wahr oder falsch ergeben, ist aber vom Typ ${getNames(message)}`
      : `ungültiger Ausdruck: ${message}`,
  invalid_pattern: withDetail('ungültiges Muster'),
  invalid_place: withDetail('ungültiger Platzhalter'),
  too_complex: 'Das Muster ist zu aufwendig',
  misplaced_secret: 'Geheimnisse sind nur in Adressen und Kopfzeilen von HTTP-Anfragen erlaubt',
  unknown_value: message => `ist kein bekannter Wert ${getNames(message)}`.trim(),
  unknown_contact_field: message => `Kontakte haben kein Feld ${getNames(message)}`,
  unknown_variable: message =>
    message.startsWith('no path')
      ? `Auf keinem Weg zu diesem Knoten wird die Variable ${getNames(message)} gesetzt`
      : `Kein Knoten setzt die Variable ${getNames(message)}`,

  // Settings of single nodes
  unknown_trigger: 'Diesen Auslöser gibt es nicht',
  wrong_workflow: 'Dieser Auslöser ist hier nicht erlaubt',
  invalid_cron: withDetail('ungültiger Zeitplan'),
  unknown_timezone: 'muss eine Zeitzone wie Europe/Madrid sein',
  invalid_locale: 'muss eine Sprache wie de-DE sein',
  invalid_url: withDetail('ungültige Adresse'),
  forbidden_address: 'Diese Adresse darf der Dienst nicht aufrufen',
  invalid_header: withDetail('ungültige Kopfzeile'),

  // Values of forms
  empty: 'darf nicht leer sein',
  blank: 'darf nicht leer sein',
  in_the_past: 'muss in der Zukunft liegen',
  in_the_future: 'darf nicht in der Zukunft liegen',
  too_far_ahead: 'muss innerhalb eines Jahres liegen',
  invalid_date: 'muss ein Datum sein',
  invalid_range: 'Das Ende muss nach dem Anfang liegen',
  not_after: 'Das Ende muss nach dem Anfang liegen; 24:00 ist das Ende des Tages',
  overlap: 'überschneidet sich mit einem anderen Zeitraum desselben Tages',
  invalid_phone: 'muss eine Telefonnummer mit Landesvorwahl sein, etwa +4915112345678',
  invalid_address: 'ist keine gültige Adresse',
  invalid_origin: 'muss die Adresse einer Website sein, etwa https://shop.example',
  invalid_image: 'muss ein lesbares Bild sein',
  invalid_json: withDetail('kein gültiges JSON'),
  invalid_key: 'ist kein gültiger Schlüssel',
  invalid_placeholder: withDetail('ungültiger Platzhalter'),
  unreadable: withDetail('Die Datei ist nicht lesbar'),
  weak_password: 'Das Passwort ist zu leicht zu erraten',
  reserved: 'ist reserviert',
  unchangeable: 'lässt sich nicht ändern',
  tested: 'wurde schon geprüft',
  key_missing: 'Dafür fehlt der Schlüssel, mit dem Identitäten unterschrieben werden',
  private_key:
    'muss der öffentliche Schlüssel sein; ersetzen Sie Ihren Schlüssel, denn er wurde hierher gesendet',
  not_current: 'muss Ihr jetziges Bild sein',
  too_many_media: 'Eine Nachricht kann nur eine Datei haben',
  no_words: 'muss einen Buchstaben oder eine Ziffer haben',
  same_contact: 'muss ein anderer Kontakt sein',
  no_identity: 'hat keine Adresse auf diesem Kanal',
  not_capable: 'kann keine Textnachrichten senden',
  not_found: 'wurde beim Anbieter nicht gefunden',
  media_unavailable: 'war beim Anbieter nicht abrufbar',
  inbox_deleted: 'Der Posteingang wurde gelöscht',
  inbox_channel_mismatch: 'Der Posteingang hat einen anderen Kanal',
  segment_deleted: 'Das Segment wurde gelöscht',
  flow_not_published: 'Der Flow ist beim Anbieter nicht veröffentlicht',
  conversation_required: 'geht nur in einer Unterhaltung',
  sandbox_refused: withDetail('Die Sandbox lehnt das ab'),
  unsupported: 'wird hier nicht unterstützt',
  user_required: 'geht nur als Benutzer, nicht als Dienstkonto',
  contact: 'ist kein Kontakt dieses Arbeitsbereichs',

  // Rights
  missing_scope: message => `Dazu fehlt Ihnen die Berechtigung ${/scope (\S+)$/.exec(message)?.[1] ?? ''}`,
  missing_role: 'Dazu müssen Sie Inhaber oder Admin sein',
  chatbot_scope_taken: withDetail('Einer der aktiven Chatbots würde nie erreicht'),
}

/** Returns why the value is a problem. The field is named elsewhere. */
export function describeReasonInGerman({ code, message }: Reason): string {
  const text = german[code]
  if (text === undefined) return message
  const similar = /did you mean "([^"]*)"/.exec(message)?.[1]
  return `${typeof text === 'string' ? text : text(message)}${similar ? `; meinten Sie „${similar}“?` : ''}`
}
