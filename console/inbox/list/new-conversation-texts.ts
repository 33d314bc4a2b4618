import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  to: 'Name or phone number',
  toHint: 'A new number needs its country code, such as +14155550100.',
  writeTo: (phone: string) => `Write to ${phone}`,
  recipient: (name: string) => `To: ${name}`,
  change: 'Choose someone else',
  from: 'From',
  message: 'Message',
  template: 'Choose a template',
  existing: 'Conversations with this contact',
  noPhone: 'This contact has no phone number. Reply in a conversation that the contact has started.',
  noInbox: 'You have no inbox that can start a conversation: this needs a chat or SMS inbox.',
}

const de: typeof en = {
  to: 'Name oder Telefonnummer',
  toHint: 'Eine neue Nummer braucht ihre Landesvorwahl, etwa +4915112345678.',
  writeTo: phone => `An ${phone} schreiben`,
  recipient: name => `An: ${name}`,
  change: 'Jemand anderen wählen',
  from: 'Von',
  message: 'Nachricht',
  template: 'Vorlage wählen',
  existing: 'Unterhaltungen mit diesem Kontakt',
  noPhone:
    'Dieser Kontakt hat keine Telefonnummer. Antworten Sie in einer Unterhaltung, die der Kontakt begonnen hat.',
  noInbox:
    'Sie haben keinen Posteingang, der eine Unterhaltung beginnen kann: Dafür ist ein Chat- oder SMS-Posteingang nötig.',
}

export const texts = screenTexts(en, de)
