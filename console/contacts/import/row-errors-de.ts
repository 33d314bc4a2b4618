/** Translates the errors of rows and files, which the service returns in English, with their column names and limits. */
const reasons: readonly [RegExp, string][] = [
  [
    /^must be a phone number in E\.164/,
    'muss eine Telefonnummer mit Landesvorwahl sein, etwa +4915112345678',
  ],
  [/^must have 1 to (\d+) characters/, 'muss 1 bis $1 Zeichen haben'],
  [/^must have at most (\d+) characters/, 'darf höchstens $1 Zeichen haben'],
  [/^must have at most (\d+) tags/, 'darf höchstens $1 Tags haben'],
  [/^a tag must have 1 to (\d+) characters/, 'Ein Tag muss 1 bis $1 Zeichen haben'],
  [/^must be a date/, 'muss ein Datum sein, etwa 2026-01-31'],
  [/^is not the id of a contact/, 'ist keine Kennung eines Kontakts'],
  [/^has a NUL character/, 'enthält ein NUL-Zeichen'],
  [/^a quote is opened/, 'In dieser Zeile wird ein Anführungszeichen geöffnet und nie geschlossen'],
  [/^there is text behind a closing quote/, 'Hinter einem schließenden Anführungszeichen steht Text'],
  [/^there are too many cells/, 'Die Zeile hat zu viele Zellen: Prüfen Sie die Anführungszeichen'],
  [/^the row is too large/, 'Die Zeile ist zu groß'],
  [/^the row is not valid UTF-8/, 'Die Zeile ist kein gültiges UTF-8'],
  [/^the row has (\d+) cells, the header has (\d+)/, 'Die Zeile hat $1 Zellen, die Kopfzeile $2'],
  [/^the row is empty/, 'Die Zeile ist leer'],
  [/^belongs to a contact that you cannot access/, 'gehört einem Kontakt, den Sie nicht sehen'],
  [
    /^matches several contacts/,
    'passt zu mehreren Kontakten: Ergänzen Sie die Telefonnummer oder die Kennung von einem',
  ],
  [
    /^is not a phone number of the contact in contactId/,
    'ist keine Telefonnummer des Kontakts mit dieser Kennung',
  ],
  [/^belongs to a contact other than/, 'gehört einem anderen Kontakt als dem mit dieser Kennung'],
  [
    /^is the phone number of row (\d+) again/,
    'ist noch einmal die Telefonnummer von Zeile $1: Diese Zeile änderte denselben Kontakt',
  ],
  [/^the tag "(.*)" does not exist/, 'Das Tag „$1“ gibt es nicht, und Sie dürfen keine Tags anlegen'],
  [/^the custom field was deleted/, 'Das Feld wurde während des Imports gelöscht'],
  [
    /^the file is not UTF-8; it was read as Windows-1252/,
    'Die Datei ist kein UTF-8 und wurde als Windows-1252 gelesen: Prüfen Sie Umlaute und Akzente',
  ],
  [/^the file is empty/, 'Die Datei ist leer'],
  [/^the file has more than (\d+) rows/, 'Die Datei hat mehr als $1 Zeilen: Teilen Sie sie'],
  [/^the file has (\d+) columns: it must have at most (\d+)/, 'Die Datei hat $1 Spalten; erlaubt sind $2'],
  [/^the file must have a column named/, 'Die Datei braucht eine Spalte name, phone, email oder externalRef'],
  [/^the file cannot be read/, 'Die Datei ist nicht lesbar'],
  [
    /^the header cannot be read/,
    'Die Kopfzeile ist nicht lesbar: zu lang, oder ein Anführungszeichen wird nie geschlossen',
  ],
  [/^has no name/, 'hat keinen Namen'],
  [/^is a duplicate: "(.*)" is the same column/, 'kommt doppelt vor: „$1“ ist dieselbe Spalte'],
  [/^is not a custom field of contacts/, 'ist kein Feld der Kontakte; legen Sie es vorher an'],
  [/^is mapped to (.*), which is not/, 'soll $1 werden; das ist kein Feld der Kontakte'],
  [/^the mapping has (\d+) columns, the file has (\d+)/, 'Zugeordnet sind $1 Spalten, die Datei hat $2'],
  [/^the account that started the import/, 'Das Konto, das den Import begonnen hat, hat keinen Zugang mehr'],
  [/^the import failed too often/, 'Der Import ist zu oft an derselben Stelle gescheitert'],
]

/** A message without a text keeps the words of the service. */
export function describeRowErrorInGerman(message: string): string {
  const found = reasons.find(([pattern]) => pattern.test(message))
  if (!found) return message
  const [pattern, text] = found
  return text.replace(/\$(\d)/g, (_, n) => pattern.exec(message)![Number(n)] ?? '')
}
