import { screenTexts } from '../../i18n/i18n.ts'

const en = {
  noInbox: 'Customers write to you through an inbox. None is connected yet.',
  connect: 'Connect an inbox',
  intro: 'No conversations yet. Play a customer who writes to you.',
  greeting: 'Hi! Is my order on its way?',
  title: 'First steps',
  customerWrote: 'A customer of the sandbox writes to you:',
  answer: 'Your answer',
  proposal: 'Yes, it arrives tomorrow.',
  answered: 'Your answer on its way to the customer:',
  steps: { sent: 'Sent', delivered: 'Delivered', read: 'Read' },
  stepDone: (step: string) => `${step}: done`,
  stepOpen: (step: string) => `${step}: not yet`,
  open: 'Open the conversation',
}

const de: typeof en = {
  noInbox: 'Kunden schreiben Ihnen über einen Posteingang. Noch ist keiner verbunden.',
  connect: 'Posteingang verbinden',
  intro: 'Noch keine Unterhaltungen. Spielen Sie einen Kunden, der Ihnen schreibt.',
  greeting: 'Hallo! Ist meine Bestellung unterwegs?',
  title: 'Erste Schritte',
  customerWrote: 'Ein Kunde der Sandbox schreibt Ihnen:',
  answer: 'Ihre Antwort',
  proposal: 'Ja, sie kommt morgen an.',
  answered: 'Ihre Antwort auf dem Weg zum Kunden:',
  steps: { sent: 'Gesendet', delivered: 'Zugestellt', read: 'Gelesen' },
  stepDone: step => `${step}: erledigt`,
  stepOpen: step => `${step}: noch nicht`,
  open: 'Unterhaltung öffnen',
}

export const texts = screenTexts(en, de)
