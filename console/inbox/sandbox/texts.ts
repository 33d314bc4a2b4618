import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  customer: 'Customer',
  customerHint: {
    number: 'A phone number with its country code: one that is known, or a new one.',
    id: 'A user id: one that is known, or a new one.',
  },
  noInbox: 'No inbox uses the sandbox. Connect one in the settings.',
  openConversation: 'Open the conversation',
}

const de: typeof en = {
  customer: 'Kunde',
  customerHint: {
    number: 'Eine Telefonnummer mit Landesvorwahl: eine bekannte oder eine neue.',
    id: 'Eine Nutzer-Kennung: eine bekannte oder eine neue.',
  },
  noInbox: 'Kein Posteingang benutzt die Sandbox. Verbinden Sie einen in den Einstellungen.',
  openConversation: 'Unterhaltung öffnen',
}

export const texts = screenTexts(en, de)
