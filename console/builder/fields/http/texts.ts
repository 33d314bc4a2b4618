/** The texts of the settings of HTTP requests. */
import { screenTexts } from '../../../i18n/i18n.ts'

const en = {
  urlHint: 'Begins with https://. Type {{ to insert a value; it is percent-encoded.',
  header: (n: number) => `Header ${n}`,
  addHeader: 'Add a header',
  repeated: 'This header is set twice; only the last one is sent.',
  valueKind: 'Kind of value',
  valueKinds: { text: 'Text', secret: 'Secret of the workspace' },
  prefix: 'Before the secret',
  prefixHint: 'Such as “Bearer ” with a space',
  secret: 'Secret',
  secretName: 'The name of the secret; owners and admins know it.',
  newSecret: 'New secret',
  newSecretHint: 'The value is encrypted and never shown again. Runs and simulations show the name only.',
  secretTaken: 'A secret with this name exists. Choose it from the list.',
  createSecret: 'Save the secret',
  bodyKind: 'Kind of body',
  bodyKinds: { none: 'None', json: 'JSON', text: 'Text' },
  textHint: 'Sent as it is. Type {{ to insert a value.',
  timeoutHint: (seconds: number) => `1 to 30; ${seconds} if empty`,
  saveAsHint: (name: string) => `Later: {{variables.${name}.status}} and {{variables.${name}.body}}`,
  outputs: 'How the run continues',
  outputMeanings: {
    ok: 'The status is 200 to 299.',
    error: 'Another status, or no response.',
    timeout: 'No response in time.',
  },
}

const de: typeof en = {
  urlHint: 'Beginnt mit https://. {{ fügt einen Wert ein; er wird prozentkodiert.',
  header: n => `Kopfzeile ${n}`,
  addHeader: 'Kopfzeile hinzufügen',
  repeated: 'Diese Kopfzeile gibt es zweimal; nur die letzte wird gesendet.',
  valueKind: 'Art des Werts',
  valueKinds: { text: 'Text', secret: 'Geheimnis des Arbeitsbereichs' },
  prefix: 'Vor dem Geheimnis',
  prefixHint: 'Zum Beispiel „Bearer “ mit Leerzeichen',
  secret: 'Geheimnis',
  secretName: 'Der Name des Geheimnisses; Inhaber und Administratoren kennen ihn.',
  newSecret: 'Neues Geheimnis',
  newSecretHint:
    'Der Wert wird verschlüsselt und nie wieder angezeigt. Durchläufe und Simulationen zeigen nur den Namen.',
  secretTaken: 'Ein Geheimnis mit diesem Namen gibt es schon. Wählen Sie es in der Liste.',
  createSecret: 'Geheimnis speichern',
  bodyKind: 'Art des Inhalts',
  bodyKinds: { none: 'Keiner', json: 'JSON', text: 'Text' },
  textHint: 'Wird unverändert gesendet. {{ fügt einen Wert ein.',
  timeoutHint: seconds => `1 bis 30; ohne Angabe ${seconds}`,
  saveAsHint: name => `Danach: {{variables.${name}.status}} und {{variables.${name}.body}}`,
  outputs: 'Wie es weitergeht',
  outputMeanings: {
    ok: 'Der Status ist 200 bis 299.',
    error: 'Ein anderer Status oder keine Antwort.',
    timeout: 'Keine Antwort in der Zeit.',
  },
}

export const httpTexts = screenTexts(en, de)
