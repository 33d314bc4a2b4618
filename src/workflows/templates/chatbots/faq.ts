/** Answers frequent questions by their words, and leaves other messages to the team. */
import { text } from '../outline.ts'
import { defineTemplate, received, sent } from '../template.ts'

export const faq = defineTemplate({
  id: 'faq',
  kind: 'chatbot',
  category: 'support',
  parameters: {
    hours: { type: 'text', maxLength: 500 },
    delivery: { type: 'text', maxLength: 500 },
    returns: { type: 'text', maxLength: 500 },
  },
  texts: {
    en: {
      name: 'FAQ',
      description:
        'Answers questions about opening hours, delivery and returns by the words in them. For any other message it says that a colleague will reply.',
      parameters: {
        hours: {
          label: 'Answer about the opening hours',
          value: 'We are here from Monday to Friday, 9:00 to 18:00.',
        },
        delivery: { label: 'Answer about the delivery', value: 'Delivery takes two to three days.' },
        returns: {
          label: 'Answer about returns',
          value: 'You can return everything within 30 days, free of charge.',
        },
      },
      messages: {
        hours: ['hours', 'open', 'opening'],
        delivery: ['delivery', 'shipping', 'parcel'],
        returns: ['return', 'returns', 'refund'],
        other: 'Thank you for your message. A colleague will reply here.',
      },
      transcripts: {
        hours: [received('When are you open?'), sent('We are here from Monday to Friday, 9:00 to 18:00.')],
        delivery: [received('How long does shipping take?'), sent('Delivery takes two to three days.')],
        returns: [
          received('Can I return it?'),
          sent('You can return everything within 30 days, free of charge.'),
        ],
        other: [
          received('I like your shop'),
          sent('Thank you for your message. A colleague will reply here.'),
        ],
      },
    },
    de: {
      name: 'Häufige Fragen',
      description:
        'Beantwortet Fragen nach Öffnungszeiten, Lieferung und Rückgabe an ihren Wörtern. Auf andere Nachrichten sagt er, dass das Team antwortet.',
      parameters: {
        hours: {
          label: 'Antwort zu den Öffnungszeiten',
          value: 'Wir sind von Montag bis Freitag von 9:00 bis 18:00 Uhr da.',
        },
        delivery: { label: 'Antwort zur Lieferung', value: 'Die Lieferung dauert zwei bis drei Tage.' },
        returns: {
          label: 'Antwort zur Rückgabe',
          value: 'Sie können alles innerhalb von 30 Tagen kostenlos zurückgeben.',
        },
      },
      messages: {
        hours: ['öffnungszeiten', 'geöffnet', 'offen'],
        delivery: ['lieferung', 'versand', 'paket'],
        returns: ['rückgabe', 'zurückgeben', 'umtausch'],
        other: 'Vielen Dank für Ihre Nachricht. Unser Team antwortet hier.',
      },
      transcripts: {
        hours: [
          received('Wann haben Sie geöffnet?'),
          sent('Wir sind von Montag bis Freitag von 9:00 bis 18:00 Uhr da.'),
        ],
        delivery: [
          received('Wie lange dauert der Versand?'),
          sent('Die Lieferung dauert zwei bis drei Tage.'),
        ],
        returns: [
          received('Kann ich das zurückgeben?'),
          sent('Sie können alles innerhalb von 30 Tagen kostenlos zurückgeben.'),
        ],
        other: [
          received('Ich mag Ihren Shop'),
          sent('Vielen Dank für Ihre Nachricht. Unser Team antwortet hier.'),
        ],
      },
    },
  },
  cases: {
    hours: { path: ['start:next', 'topic:hours', 'hours:next'] },
    delivery: { path: ['start:next', 'topic:delivery', 'delivery:next'] },
    returns: { path: ['start:next', 'topic:else', 'returns:next'] },
    other: { path: ['start:fallback', 'other:next', 'handoff:handed_off'] },
  },
  outline: (words, { hours, delivery, returns }) => ({
    trigger: {
      type: 'message_received',
      match: 'keyword',
      values: [...words.hours, ...words.delivery, ...words.returns],
    },
    nodes: {
      topic: [
        'branch',
        {
          cases: [
            { id: 'hours', expression: mentions(words.hours) },
            { id: 'delivery', expression: mentions(words.delivery) },
          ],
        },
      ],
      hours: ['sendMessage', { content: text(hours) }],
      delivery: ['sendMessage', { content: text(delivery) }],
      returns: ['sendMessage', { content: text(returns) }],
      other: ['sendMessage', { content: text(words.other) }],
      handoff: ['handoff', {}],
    },
    edges: [
      'start > topic',
      'start:fallback > other',
      'topic:hours > hours',
      'topic:delivery > delivery',
      'topic:else > returns',
      'other > handoff',
    ],
  }),
})

/** An expression that is true for a message with one of the words. */
const mentions = (words: readonly string[]) => `message.text.matches("(?i)${words.join('|')}")`
