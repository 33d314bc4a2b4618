/** Takes the wish for an appointment: date and time of day, confirmed by the customer and stored. */
import { text } from '../outline.ts'
import { defineTemplate, optional, pressed, received, sent } from '../template.ts'

const partsEn = ['Morning', 'Afternoon']
const partsDe = ['Vormittag', 'Nachmittag']
const confirmEn = ['Yes', 'Another date']
const confirmDe = ['Ja', 'Anderer Tag']

export const appointment = defineTemplate({
  id: 'appointment',
  kind: 'chatbot',
  category: 'support',
  parameters: {
    field: { type: 'field', fieldType: 'date' },
    team: { type: 'team', isOptional: true },
  },
  texts: {
    en: {
      name: 'Appointment',
      description:
        'Asks for the date and the time of day, lets the customer confirm, stores the date, and hands over to your team.',
      parameters: {
        field: { label: 'Field for the date', value: 'Appointment' },
        team: { label: 'Team for appointments', hint: 'Without one, the team of the inbox.' },
      },
      messages: {
        words: ['appointment', 'booking', 'book'],
        date: 'On which day would you like to come? Please write a date such as 31 January 2027.',
        retry: 'Sorry, I could not read that date. Please write it as 31 January 2027.',
        part: 'In the morning or in the afternoon?',
        parts: partsEn,
        confirm: 'So {{variables.date}}, {{variables.part}}. Is that right?',
        confirmations: confirmEn,
        done: 'Thank you! We will confirm your appointment here.',
        person: 'A colleague will find a date with you.',
      },
      transcripts: {
        booked: [
          received('I need an appointment'),
          sent('On which day would you like to come? Please write a date such as 31 January 2027.'),
          received('next week'),
          sent('Sorry, I could not read that date. Please write it as 31 January 2027.'),
          received('4 February 2027'),
          sent('In the morning or in the afternoon?', partsEn),
          pressed('morning', 'Morning'),
          sent('So 2027-02-04, Morning. Is that right?', confirmEn),
          pressed('yes', 'Yes'),
          sent('Thank you! We will confirm your appointment here.'),
        ],
        unclear: [
          received('Can I book?'),
          sent('On which day would you like to come? Please write a date such as 31 January 2027.'),
          received('next week'),
          sent('Sorry, I could not read that date. Please write it as 31 January 2027.'),
          received('Tuesday or so'),
          sent('A colleague will find a date with you.'),
        ],
      },
    },
    de: {
      name: 'Terminanfrage',
      description:
        'Fragt nach Tag und Tageszeit, lässt sie bestätigen, speichert das Datum und übergibt an Ihr Team.',
      parameters: {
        field: { label: 'Feld für das Datum', value: 'Termin' },
        team: { label: 'Team für Termine', hint: 'Ohne Angabe das Team des Posteingangs.' },
      },
      messages: {
        words: ['termin', 'buchen', 'buchung'],
        date: 'An welchem Tag möchten Sie kommen? Bitte schreiben Sie ein Datum wie 31. Januar 2027.',
        retry: 'Dieses Datum konnte ich leider nicht lesen. Bitte schreiben Sie es so: 31. Januar 2027.',
        part: 'Vormittags oder nachmittags?',
        parts: partsDe,
        confirm: 'Also {{variables.date}}, {{variables.part}}. Ist das richtig?',
        confirmations: confirmDe,
        done: 'Vielen Dank! Wir bestätigen Ihren Termin hier.',
        person: 'Unser Team findet mit Ihnen einen Termin.',
      },
      transcripts: {
        booked: [
          received('Ich brauche einen Termin'),
          sent('An welchem Tag möchten Sie kommen? Bitte schreiben Sie ein Datum wie 31. Januar 2027.'),
          received('nächste Woche'),
          sent('Dieses Datum konnte ich leider nicht lesen. Bitte schreiben Sie es so: 31. Januar 2027.'),
          received('4. Februar 2027'),
          sent('Vormittags oder nachmittags?', partsDe),
          pressed('morning', 'Vormittag'),
          sent('Also 2027-02-04, Vormittag. Ist das richtig?', confirmDe),
          pressed('yes', 'Ja'),
          sent('Vielen Dank! Wir bestätigen Ihren Termin hier.'),
        ],
        unclear: [
          received('Kann ich buchen?'),
          sent('An welchem Tag möchten Sie kommen? Bitte schreiben Sie ein Datum wie 31. Januar 2027.'),
          received('nächste Woche'),
          sent('Dieses Datum konnte ich leider nicht lesen. Bitte schreiben Sie es so: 31. Januar 2027.'),
          received('Dienstag oder so'),
          sent('Unser Team findet mit Ihnen einen Termin.'),
        ],
      },
    },
  },
  cases: {
    booked: {
      path: [
        'start:next',
        'date:answered',
        'part:morning',
        'morning:next',
        'confirm:yes',
        'store:next',
        'done:next',
        'handoff:handed_off',
      ],
    },
    unclear: { path: ['start:next', 'date:invalid', 'person:next', 'handoff:handed_off'] },
  },
  outline: (messages, { field, team }) => ({
    trigger: { type: 'message_received', match: 'keyword', values: messages.words },
    nodes: {
      date: [
        'ask',
        {
          content: text(messages.date),
          retryContent: text(messages.retry),
          retries: 1,
          variable: 'date',
          validate: 'date',
        },
      ],
      part: [
        'menu',
        {
          content: text(messages.part),
          options: ['morning', 'afternoon'].map((id, i) => ({ id, title: messages.parts[i] })),
        },
      ],
      morning: ['setVariable', { name: 'part', value: messages.parts[0] }],
      afternoon: ['setVariable', { name: 'part', value: messages.parts[1] }],
      confirm: [
        'menu',
        {
          content: text(messages.confirm),
          options: ['yes', 'no'].map((id, i) => ({ id, title: messages.confirmations[i] })),
        },
      ],
      again: ['jump', { to: 'date', max: 2 }],
      store: ['setField', { fieldId: field, value: '{{variables.date}}' }],
      done: ['sendMessage', { content: text(messages.done) }],
      person: ['sendMessage', { content: text(messages.person) }],
      handoff: ['handoff', optional('teamId', team)],
    },
    edges: [
      'start > date',
      'date:answered > part',
      'date:invalid > person',
      'part:morning > morning',
      'part:afternoon > afternoon',
      'part:other > person',
      'morning > confirm',
      'afternoon > confirm',
      'confirm:yes > store',
      'confirm:no > again',
      'confirm:other > person',
      'again > person',
      'store > done',
      'done > handoff',
      'person > handoff',
    ],
  }),
})
