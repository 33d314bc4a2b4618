import { screenTexts } from '../i18n/i18n.ts'

const en = {
  noTemplates: 'This inbox has no approved template.',
  parameter: (name: string) => `Value of {{${name}}}`,
  parameterOfHeader: (name: string) => `Header: value of {{${name}}}`,
  parameterOfButton: (button: string, name: string) => `Address of “${button}”: value of {{${name}}}`,
  codeOfButton: (button: string) => `Code of “${button}”`,
  copyCode: 'Copy code',
  files: { image: 'Image of the header', video: 'Video of the header', document: 'Document of the header' },
  anyFile: 'File of the header',
  fileHints: {
    image: 'JPEG or PNG, at most 5 MB',
    video: 'MP4 or 3GP, at most 16 MB',
    document: 'PDF, text or Office, at most 100 MB',
  },
  wrongKinds: {
    image: 'The header is an image: choose a JPEG or PNG.',
    video: 'The header is a video: choose an MP4 or 3GP.',
    document: 'The header is a document: choose a PDF, a text or an Office file.',
  },
  tooLarge: (size: string, max: number) => `The file has ${size}; at most ${max} MB are allowed.`,
  chooseFile: 'Choose a file',
  replaceFile: 'Choose another file',
  location: {
    latitude: 'Latitude',
    longitude: 'Longitude',
    name: 'Name of the place',
    address: 'Address of the place',
  } as Record<string, string>,
  locationHint: 'Or paste both, such as “52.5219, 13.4132”',
  ranges: {
    latitude: 'A number from -90 to 90, such as 52.5219',
    longitude: 'A number from -180 to 180, such as 13.4132',
  } as Record<string, string>,
  preview: 'Preview',
  change: 'Change',
}

const de: typeof en = {
  noTemplates: 'Dieser Posteingang hat keine genehmigte Vorlage.',
  parameter: name => `Wert von {{${name}}}`,
  parameterOfHeader: name => `Überschrift: Wert von {{${name}}}`,
  parameterOfButton: (button, name) => `Adresse von „${button}“: Wert von {{${name}}}`,
  codeOfButton: button => `Code von „${button}“`,
  copyCode: 'Code kopieren',
  files: { image: 'Bild der Kopfzeile', video: 'Video der Kopfzeile', document: 'Dokument der Kopfzeile' },
  anyFile: 'Datei der Kopfzeile',
  fileHints: {
    image: 'JPEG oder PNG, höchstens 5 MB',
    video: 'MP4 oder 3GP, höchstens 16 MB',
    document: 'PDF, Text oder Office, höchstens 100 MB',
  },
  wrongKinds: {
    image: 'Die Kopfzeile ist ein Bild: Wählen Sie ein JPEG oder PNG.',
    video: 'Die Kopfzeile ist ein Video: Wählen Sie ein MP4 oder 3GP.',
    document: 'Die Kopfzeile ist ein Dokument: Wählen Sie ein PDF, einen Text oder eine Office-Datei.',
  },
  tooLarge: (size, max) => `Die Datei hat ${size}; erlaubt sind höchstens ${max} MB.`,
  chooseFile: 'Datei wählen',
  replaceFile: 'Andere Datei wählen',
  location: {
    latitude: 'Breitengrad',
    longitude: 'Längengrad',
    name: 'Name des Ortes',
    address: 'Adresse des Ortes',
  },
  locationHint: 'Oder beide einfügen, etwa „52.5219, 13.4132“',
  ranges: {
    latitude: 'Eine Zahl von -90 bis 90, etwa 52,5219',
    longitude: 'Eine Zahl von -180 bis 180, etwa 13,4132',
  },
  preview: 'Vorschau',
  change: 'Ändern',
}

export const texts = screenTexts(en, de)
