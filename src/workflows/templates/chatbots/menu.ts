/** Greets with a menu: the state of an order, the opening hours, or a person. */
import { text } from '../outline.ts'
import { defineTemplate, optional, pressed, received, sent } from '../template.ts'

const en = ['My order', 'Opening hours', 'A person']
const de = ['Meine Bestellung', 'Öffnungszeiten', 'Eine Person']
const questionEn = 'Hello! How can we help you?'
const questionDe = 'Guten Tag! Wie können wir Ihnen helfen?'

export const menu = defineTemplate({
  id: 'menu',
  kind: 'chatbot',
  category: 'support',
  parameters: {
    hours: { type: 'text', maxLength: 500 },
    team: { type: 'team', isOptional: true },
  },
  texts: {
    en: {
      name: 'Menu',
      description:
        'Greets every customer with three buttons, answers what it can, and hands the rest over to your team.',
      parameters: {
        hours: {
          label: 'Answer about the opening hours',
          value: 'We are here from Monday to Friday, 9:00 to 18:00.',
        },
        team: { label: 'Team for everything else', hint: 'Without one, the team of the inbox.' },
      },
      messages: {
        question: questionEn,
        options: en,
        keywords: [
          ['order', 'parcel'],
          ['hours', 'open'],
          ['human', 'agent'],
        ],
        number: 'What is the number of your order?',
        retry: 'Please send the number only, such as 10345.',
        searching: 'Thank you. A colleague will look up order {{variables.order}} and reply here.',
        person: 'One moment, a colleague will reply here.',
        again: 'Sorry, I did not understand that.',
      },
      transcripts: {
        order: [
          received('Hi'),
          sent(questionEn, en),
          pressed('order', 'My order'),
          sent('What is the number of your order?'),
          received('10345'),
          sent('Thank you. A colleague will look up order 10345 and reply here.'),
        ],
        hours: [
          received('Hi'),
          sent(questionEn, en),
          received('hours'),
          sent('We are here from Monday to Friday, 9:00 to 18:00.'),
        ],
        person: [
          received('Hi'),
          sent(questionEn, en),
          received('banana'),
          sent('Sorry, I did not understand that.'),
          sent(questionEn, en),
          received('3'),
          sent('One moment, a colleague will reply here.'),
        ],
      },
    },
    de: {
      name: 'Menü',
      description:
        'Begrüßt alle mit drei Schaltflächen, beantwortet, was möglich ist, und übergibt den Rest an Ihr Team.',
      parameters: {
        hours: {
          label: 'Antwort zu den Öffnungszeiten',
          value: 'Wir sind von Montag bis Freitag von 9:00 bis 18:00 Uhr da.',
        },
        team: { label: 'Team für alles andere', hint: 'Ohne Angabe das Team des Posteingangs.' },
      },
      messages: {
        question: questionDe,
        options: de,
        keywords: [
          ['Bestellung', 'Paket'],
          ['Zeiten', 'offen'],
          ['Mensch', 'Mitarbeiter'],
        ],
        number: 'Wie lautet die Nummer Ihrer Bestellung?',
        retry: 'Bitte senden Sie nur die Nummer, zum Beispiel 10345.',
        searching: 'Danke. Unser Team sieht nach der Bestellung {{variables.order}} und antwortet hier.',
        person: 'Einen Moment, unser Team antwortet hier.',
        again: 'Das habe ich leider nicht verstanden.',
      },
      transcripts: {
        order: [
          received('Hallo'),
          sent(questionDe, de),
          pressed('order', 'Meine Bestellung'),
          sent('Wie lautet die Nummer Ihrer Bestellung?'),
          received('10345'),
          sent('Danke. Unser Team sieht nach der Bestellung 10345 und antwortet hier.'),
        ],
        hours: [
          received('Hallo'),
          sent(questionDe, de),
          received('offen'),
          sent('Wir sind von Montag bis Freitag von 9:00 bis 18:00 Uhr da.'),
        ],
        person: [
          received('Hallo'),
          sent(questionDe, de),
          received('Banane'),
          sent('Das habe ich leider nicht verstanden.'),
          sent(questionDe, de),
          received('3'),
          sent('Einen Moment, unser Team antwortet hier.'),
        ],
      },
    },
  },
  cases: {
    order: { path: ['start:next', 'menu:order', 'number:answered', 'searching:next', 'handoff:handed_off'] },
    hours: { path: ['start:next', 'menu:hours', 'hours:next'] },
    person: {
      path: [
        'start:next',
        'menu:other',
        'again:next',
        'back:menu',
        'menu:person',
        'person:next',
        'handoff:handed_off',
      ],
    },
  },
  outline: (messages, { hours, team }) => ({
    trigger: { type: 'conversation_started' },
    nodes: {
      menu: [
        'menu',
        {
          content: text(messages.question),
          options: ['order', 'hours', 'person'].map((id, i) => ({
            id,
            title: messages.options[i],
            keywords: messages.keywords[i],
          })),
        },
      ],
      number: [
        'ask',
        {
          content: text(messages.number),
          retryContent: text(messages.retry),
          variable: 'order',
          validate: 'regex',
          pattern: '^\\s*#?\\d{3,12}\\s*$',
        },
      ],
      searching: ['sendMessage', { content: text(messages.searching) }],
      hours: ['sendMessage', { content: text(hours) }],
      person: ['sendMessage', { content: text(messages.person) }],
      again: ['sendMessage', { content: text(messages.again) }],
      back: ['jump', { to: 'menu', max: 2 }],
      handoff: ['handoff', optional('teamId', team)],
    },
    edges: [
      'start > menu',
      'menu:order > number',
      'menu:hours > hours',
      'menu:person > person',
      'menu:other > again',
      'again > back',
      'back > person',
      'number:answered > searching',
      'number:invalid > person',
      'searching > handoff',
      'person > handoff',
    ],
  }),
})
