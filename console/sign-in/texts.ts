/** The texts of the forms before a session. */

import { screenTexts } from '../i18n/i18n.ts'
import { countIn } from '../i18n/plural.ts'

const countEn = countIn('en')
const countDe = countIn('de')

const en = {
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  wrongCredentials: 'The e-mail address or the password is wrong.',
  tooManyAttempts: (seconds: number) =>
    `Too many attempts. Try again in ${countEn(seconds, 'second', 'seconds')}.`,
  tryAgainNow: 'You can try again now.',
  signedOutNotice: 'You were signed out. Your drafts are kept.',
  or: 'or',
  singleSignOn: 'Continue with single sign-on',
  oidcFailures: {
    cancelled: 'The sign-in was cancelled.',
    expired: 'The sign-in took too long, or began in another browser. Try again.',
    refused: 'Your account has no access here. Ask an administrator for an invitation.',
    unavailable: 'The identity provider does not answer. Try again later.',
  },
  staysSignedIn: (workspace: string) =>
    `You stay signed in to ${workspace} until you have signed in to another workspace.`,
  stillSending: 'Your messages are still being sent. You can sign in as soon as they are.',
  opensOnly: (workspace: string) =>
    `This address and this password open only ${workspace}. Accounts of other workspaces have their own.`,
  chooseWorkspace: 'Choose a workspace',
  enterCode: 'Enter your code',
  code: 'Code',
  codeHint: 'From your authenticator app, or an unused recovery code',
  wrongCode: 'The code is not valid.',
  loginExpired: 'This took longer than five minutes. Go back and enter your password again.',
  acceptInvitation: 'Join the workspace',
  invitationInvalid: 'This invitation was used or has expired. Ask for a new one.',
  yourName: 'Your name',
  join: 'Join',
  choosePassword: 'Choose a new password',
  savePassword: 'Save password',
  resetInvalid: 'This link was used or has expired. Ask for a new one.',
  passwordChanged: 'Password changed',
  passwordChangedNotice: 'All your sessions have ended. Sign in with the new password.',
}

const de: typeof en = {
  email: 'E-Mail',
  password: 'Passwort',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  tooManyAttempts: seconds =>
    `Zu viele Versuche. Bitte in ${countDe(seconds, 'Sekunde', 'Sekunden')} erneut versuchen.`,
  tryAgainNow: 'Sie können es jetzt erneut versuchen.',
  signedOutNotice: 'Sie wurden abgemeldet. Ihre Entwürfe bleiben erhalten.',
  or: 'oder',
  singleSignOn: 'Weiter mit Single Sign-on',
  oidcFailures: {
    cancelled: 'Die Anmeldung wurde abgebrochen.',
    expired: 'Die Anmeldung dauerte zu lange oder begann in einem anderen Browser. Versuchen Sie es erneut.',
    refused: 'Ihr Konto hat hier keinen Zugang. Bitten Sie eine Administratorin um eine Einladung.',
    unavailable: 'Der Identitätsanbieter antwortet nicht. Versuchen Sie es später erneut.',
  },
  staysSignedIn: workspace =>
    `Sie bleiben in ${workspace} angemeldet, bis Sie sich in einem anderen Arbeitsbereich angemeldet haben.`,
  stillSending: 'Ihre Nachrichten werden noch gesendet. Danach können Sie sich anmelden.',
  opensOnly: workspace =>
    `Diese Adresse und dieses Passwort öffnen nur ${workspace}. Konten anderer Arbeitsbereiche haben ihre eigenen.`,
  chooseWorkspace: 'Arbeitsbereich wählen',
  enterCode: 'Code eingeben',
  code: 'Code',
  codeHint: 'Aus Ihrer Authenticator-App, oder ein unbenutzter Wiederherstellungscode',
  wrongCode: 'Der Code ist ungültig.',
  loginExpired:
    'Das hat länger als fünf Minuten gedauert. Gehen Sie zurück und geben Sie das Passwort noch einmal ein.',
  acceptInvitation: 'Arbeitsbereich beitreten',
  invitationInvalid: 'Diese Einladung wurde benutzt oder ist abgelaufen. Bitten Sie um eine neue.',
  yourName: 'Ihr Name',
  join: 'Beitreten',
  choosePassword: 'Neues Passwort wählen',
  savePassword: 'Passwort speichern',
  resetInvalid: 'Dieser Link wurde benutzt oder ist abgelaufen. Bitten Sie um einen neuen.',
  passwordChanged: 'Passwort geändert',
  passwordChangedNotice: 'Alle Ihre Sitzungen wurden beendet. Melden Sie sich mit dem neuen Passwort an.',
}

export const texts = screenTexts(en, de)
