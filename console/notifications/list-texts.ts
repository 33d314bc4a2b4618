import { screenTexts } from '../i18n/i18n.ts'

const en = {
  noNotifications: 'No notifications. Mentions, assignments and messages to you appear here.',
  markAllRead: 'Mark all as read',
  olderNotifications: 'Show older ones',
}

const de: typeof en = {
  noNotifications: 'Keine Mitteilungen. Erwähnungen, Zuweisungen und Nachrichten an Sie erscheinen hier.',
  markAllRead: 'Alle als gelesen markieren',
  olderNotifications: 'Ältere anzeigen',
}

export const texts = screenTexts(en, de)
