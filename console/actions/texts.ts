/** The texts of the palette. */
import { screenTexts } from '../i18n/i18n.ts'

const english = {
  placeholder: 'Search, or type an action…',
  recent: 'Recent',
  settings: 'Settings',
  searching: 'Searching…',
  typeName: 'Type a name.',
  failed: 'The search failed. Type again to repeat it.',
  kinds: {
    contact: 'Contacts',
    conversation: 'Conversations',
    message: 'Messages',
    segment: 'Segments',
    campaign: 'Campaigns',
    journey: 'Journeys',
    chatbot: 'Chatbots',
    user: 'Users',
    team: 'Teams',
    label: 'Labels',
    view: 'Views',
    saved_reply: 'Saved replies',
  },
  prefixes: { actions: 'actions', people: 'contacts and users', labels: 'labels' },
}

export const texts = screenTexts<typeof english>(english, {
  placeholder: 'Suchen oder eine Aktion eingeben …',
  recent: 'Zuletzt geöffnet',
  settings: 'Einstellungen',
  searching: 'Wird gesucht …',
  typeName: 'Tippen Sie einen Namen.',
  failed: 'Die Suche ist fehlgeschlagen. Tippen Sie erneut, um sie zu wiederholen.',
  kinds: {
    contact: 'Kontakte',
    conversation: 'Unterhaltungen',
    message: 'Nachrichten',
    segment: 'Segmente',
    campaign: 'Kampagnen',
    journey: 'Journeys',
    chatbot: 'Chatbots',
    user: 'Personen',
    team: 'Teams',
    label: 'Labels',
    view: 'Ansichten',
    saved_reply: 'Textbausteine',
  },
  prefixes: { actions: 'Aktionen', people: 'Kontakte und Personen', labels: 'Labels' },
})
