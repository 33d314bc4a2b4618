/** The texts of the dialog that connects an inbox. */
import { screenTexts } from '../../../i18n/i18n.ts'

const en = {
  kindOfChannel: 'Channel',
  channels: {
    webchat: 'Web chat (your website)',
    chatapp: 'Chat (WhatsApp)',
    socialapp: 'Social (Instagram)',
    sms: 'SMS (Twilio)',
  },
  accountId: { chatapp: 'Business account id', socialapp: 'Account id', sms: 'Account SID' },
  accountHint: {
    chatapp: 'In the Meta app dashboard, below WhatsApp → API setup',
    socialapp: 'The id of the professional Instagram account',
    sms: 'In the Twilio console; begins with AC',
  },
  ownToken: 'Own token',
  ownTokenHint: 'Empty: the token of this installation is used.',
  authToken: 'Auth token',
  authTokenHint: 'Stored encrypted and never shown again.',
  numberIds: 'Phone number ids',
  numberIdsHint: 'Separated by commas',
  findNumbers: 'Find the numbers',
  numbers: 'Numbers',
  noNumbers: 'This account has no number that can send messages.',
  notForMessages: 'without messaging',
  connectNow: 'Connect',
  useSandbox: 'Use a sandbox account',
  sandboxHint:
    'The sandbox simulates this channel: any id and token work, and nothing is sent to real people.',
  connected: (names: string) => `${names} connected`,
  alreadyConnected:
    'One of these numbers or accounts is already connected, here or in another workspace of this installation. Delete that inbox first, or choose another number.',
  notFoundAtProvider: 'The provider does not know this account, or it was not granted to this workspace.',
  providerRefused: 'The provider rejects the token.',
}

const de: typeof en = {
  kindOfChannel: 'Kanal',
  channels: {
    webchat: 'Webchat (Ihre Website)',
    chatapp: 'Chat (WhatsApp)',
    socialapp: 'Social (Instagram)',
    sms: 'SMS (Twilio)',
  },
  accountId: { chatapp: 'Id des Unternehmenskontos', socialapp: 'Id des Kontos', sms: 'Account SID' },
  accountHint: {
    chatapp: 'Im Dashboard der Meta-App unter WhatsApp → API-Setup',
    socialapp: 'Die Id des professionellen Instagram-Kontos',
    sms: 'In der Twilio-Konsole; beginnt mit AC',
  },
  ownToken: 'Eigenes Token',
  ownTokenHint: 'Leer: das Token dieser Installation wird benutzt.',
  authToken: 'Auth-Token',
  authTokenHint: 'Wird verschlüsselt gespeichert und nie wieder gezeigt.',
  numberIds: 'Ids der Telefonnummern',
  numberIdsHint: 'Durch Kommas getrennt',
  findNumbers: 'Nummern suchen',
  numbers: 'Nummern',
  noNumbers: 'Dieses Konto hat keine Nummer, die Nachrichten senden kann.',
  notForMessages: 'ohne Nachrichten',
  connectNow: 'Verbinden',
  useSandbox: 'Konto der Sandbox benutzen',
  sandboxHint:
    'Die Sandbox simuliert diesen Kanal: Jede Id und jedes Token gilt, und nichts wird an echte Menschen gesendet.',
  connected: names => `${names} verbunden`,
  alreadyConnected:
    'Eine dieser Nummern oder eines dieser Konten ist schon verbunden, hier oder in einem anderen Arbeitsbereich dieser Installation. Löschen Sie zuerst jenen Posteingang oder wählen Sie eine andere Nummer.',
  notFoundAtProvider:
    'Der Anbieter kennt dieses Konto nicht, oder es ist für diesen Arbeitsbereich nicht freigegeben.',
  providerRefused: 'Der Anbieter lehnt das Token ab.',
}

export const texts = screenTexts(en, de)
