/** Wishes a happy birthday every year, in the morning of the workspace's time zone. */
import { text } from '../outline.ts'
import { defineTemplate, optional, sent } from '../template.ts'

export const birthday = defineTemplate({
  id: 'birthday',
  kind: 'journey',
  category: 'loyalty',
  parameters: {
    field: { type: 'field', fieldType: 'date' },
    gift: { type: 'text', maxLength: 300 },
    inbox: { type: 'inbox', isOptional: true },
  },
  texts: {
    en: {
      name: 'Birthday',
      description: 'Wishes a happy birthday at 9:00 on the day, every year, with a small gift.',
      parameters: {
        field: { label: 'Field with the date of birth', value: 'Birthday' },
        gift: { label: 'Gift', value: 'Your next order is 10 % off with the code BIRTHDAY.' },
        inbox: { label: 'Inbox', hint: 'Without one, the first inbox that reaches the contact sends.' },
      },
      messages: {
        wish: (gift: string) => `Happy birthday, {{contact.name | default: "dear customer"}}! ${gift}`,
      },
      transcripts: {
        wished: [sent('Happy birthday, Ann! Your next order is 10 % off with the code BIRTHDAY.')],
      },
    },
    de: {
      name: 'Geburtstag',
      description: 'Gratuliert jedes Jahr am Geburtstag um 9:00 Uhr, mit einem kleinen Geschenk.',
      parameters: {
        field: { label: 'Feld mit dem Geburtsdatum', value: 'Geburtstag' },
        gift: {
          label: 'Geschenk',
          value: 'Auf Ihre nächste Bestellung erhalten Sie 10 % mit dem Code GEBURTSTAG.',
        },
        inbox: { label: 'Posteingang', hint: 'Ohne Angabe sendet der erste, der den Kontakt erreicht.' },
      },
      messages: {
        wish: gift =>
          `Alles Gute zum Geburtstag, {{contact.name | default: "liebe Kundin, lieber Kunde"}}! ${gift}`,
      },
      transcripts: {
        wished: [
          sent(
            'Alles Gute zum Geburtstag, Ann! Auf Ihre nächste Bestellung erhalten Sie 10 % mit dem Code GEBURTSTAG.',
          ),
        ],
      },
    },
  },
  cases: { wished: { path: ['start:next', 'wish:next'] } },
  outline: (messages, { field, gift, inbox }, timezone) => ({
    trigger: { type: 'date_reached', fieldId: field, yearly: true, at: '09:00', timezone },
    nodes: {
      wish: ['sendMessage', { content: text(messages.wish(gift)), ...optional('inboxId', inbox) }],
    },
    edges: ['start > wish'],
  }),
})
