import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  customer: 'Customer',
  customerHint: {
    number: 'A phone number with its country code: one that is known, or a new one.',
    id: 'A user id: one that is known, or a new one.',
  },
  noInbox: 'No inbox uses the sandbox. Connect one in the settings.',
  openConversation: 'Open the conversation',
  writeAs: (name: string) => `Write as ${name}`,
  advanceHours: (n: number) => `Advance the clock by ${n} h`,
  clockAdvanced: (n: number) => `Clock advanced by ${n} h`,
  press: (button: string) => `Press “${button}”`,
  sendFileAs: (name: string) => `Send a file as ${name}`,
  callbacks: 'Callbacks of the provider',
  callbacksHint: 'For all inboxes of the workspace.',
  callbackDelays: {
    none: 'Immediately',
    seconds: 'After 5 seconds',
    minute: 'After a minute',
    never: 'Never',
  },
  sandboxOff: 'This inbox does not use the sandbox.',
}

const de: typeof en = {
  customer: 'Kunde',
  customerHint: {
    number: 'Eine Telefonnummer mit Landesvorwahl: eine bekannte oder eine neue.',
    id: 'Eine Nutzer-Kennung: eine bekannte oder eine neue.',
  },
  noInbox: 'Kein Posteingang benutzt die Sandbox. Verbinden Sie einen in den Einstellungen.',
  openConversation: 'Unterhaltung öffnen',
  writeAs: name => `Als ${name} schreiben`,
  advanceHours: n => `Uhr um ${n} h vorstellen`,
  clockAdvanced: n => `Uhr um ${n} h vorgestellt`,
  press: button => `„${button}“ drücken`,
  sendFileAs: name => `Eine Datei als ${name} senden`,
  callbacks: 'Rückmeldungen des Anbieters',
  callbacksHint: 'Für alle Posteingänge des Arbeitsbereichs.',
  callbackDelays: {
    none: 'Sofort',
    seconds: 'Nach 5 Sekunden',
    minute: 'Nach einer Minute',
    never: 'Nie',
  },
  sandboxOff: 'Dieser Posteingang benutzt die Sandbox nicht.',
}

export const texts = screenTexts(en, de)
