/**
 * The reasons of problems in the user's language. The service words them in English, with the names and limits that they
 * concern: these are taken over. A code without a text keeps the words of the service.
 */
import type { Violation } from '../api/errors.ts'
import { language } from '../i18n/i18n.ts'
import { nameOutput } from './texts.ts'

type Reason = Pick<Violation, 'code' | 'message'>
type Describe = string | ((message: string) => string)

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

const alternatives = new Intl.ListFormat('de', { type: 'disjunction' })

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
  undelivered_ends_run: message => {
    const outputs = /leaves by ([^:]*)/.exec(message)?.[1]?.split(/, or |, | or /) ?? []
    const named = alternatives.format(outputs.map(nameOutput))
    return `Keine Verbindung führt von „${named}“ weg: Ein Durchlauf, der seine Nachricht nicht zustellen kann, endet hier.`
  },

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
  wrong_field_type: withDetail('Das Feld hat einen anderen Typ'),
  template_unknown: unknown('Diese Vorlage'),
  flow_unknown: unknown('Diesen Flow'),
  template_not_approved: 'Diese Vorlage ist beim Anbieter nicht freigegeben',
  missing_parameter: withDetail('Ein Wert für die Vorlage fehlt'),
  extra_parameter: 'Die Vorlage hat dafür keinen Platzhalter',
  content_unsupported: withDetail('Der Kanal kann diesen Inhalt nicht senden'),

  // Texts and expressions
  invalid_expression: withDetail('ungültiger Ausdruck'),
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

  // Rights
  missing_scope: message => `Dazu fehlt Ihnen die Berechtigung ${/scope (\S+)$/.exec(message)?.[1] ?? ''}`,
  missing_role: 'Dazu müssen Sie Inhaber oder Admin sein',
  chatbot_scope_taken: withDetail('Einer der aktiven Chatbots würde nie erreicht'),
}

/** Returns why the value is a problem. The field is named elsewhere. */
export function describeReason({ code, message }: Reason): string {
  const text = language.get() === 'de' ? german[code] : undefined
  if (text === undefined) return message
  const similar = /did you mean "([^"]*)"/.exec(message)?.[1]
  return `${typeof text === 'string' ? text : text(message)}${similar ? `; meinten Sie „${similar}“?` : ''}`
}
