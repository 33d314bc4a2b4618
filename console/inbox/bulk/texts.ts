/** The course and the results of bulk actions on conversations. */
import { screenTexts } from '../../i18n/i18n.ts'
import { countIn } from '../../i18n/plural.ts'

const conversations = (n: number) => countIn('en')(n, 'conversation', 'conversations')

const en = {
  running: (done: number, total: number) => `${done} of ${conversations(total)}`,
  done: {
    close: (n: number) => `${conversations(n)} closed`,
    reopen: (n: number) => `${conversations(n)} reopened`,
    assign: (n: number) => `${conversations(n)} assigned`,
    addLabel: (n: number) => `${conversations(n)} labelled`,
    setPriority: (n: number) => `Priority of ${conversations(n)} set`,
    snooze: (n: number) => `${conversations(n)} snoozed`,
    wake: (n: number) => `${conversations(n)} no longer snoozed`,
    markRead: (n: number) => `${conversations(n)} marked as read`,
    markUnread: (n: number) => `${conversations(n)} marked as unread`,
  },
  unchanged: (n: number) => `${n} already so`,
  failed: (n: number) => `${n} failed`,
  stopped: 'stopped by an error',
  restored: (n: number) => `${conversations(n)} restored`,
  notRestored: (n: number) => `${n} changed since`,
  tooManyUnread: (n: number) => `At most ${n} can be marked as unread together`,
}

const unterhaltungen = (n: number) => countIn('de')(n, 'Unterhaltung', 'Unterhaltungen')

const de: typeof en = {
  running: (done, total) => `${done} von ${unterhaltungen(total)}`,
  done: {
    close: n => `${unterhaltungen(n)} geschlossen`,
    reopen: n => `${unterhaltungen(n)} wieder geöffnet`,
    assign: n => `${unterhaltungen(n)} zugewiesen`,
    addLabel: n => `${unterhaltungen(n)} mit Label versehen`,
    setPriority: n => `Priorität von ${unterhaltungen(n)} gesetzt`,
    snooze: n => `${unterhaltungen(n)} zurückgestellt`,
    wake: n => `${unterhaltungen(n)} nicht mehr zurückgestellt`,
    markRead: n => `${unterhaltungen(n)} als gelesen markiert`,
    markUnread: n => `${unterhaltungen(n)} als ungelesen markiert`,
  },
  unchanged: n => `${n} waren schon so`,
  failed: n => `${n} fehlgeschlagen`,
  stopped: 'durch einen Fehler beendet',
  restored: n => `${unterhaltungen(n)} wiederhergestellt`,
  notRestored: n => `${n} seitdem geändert`,
  tooManyUnread: n => `Höchstens ${n} können zusammen als ungelesen markiert werden`,
}

export const texts = screenTexts(en, de)
