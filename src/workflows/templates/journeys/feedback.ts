/** Asks for a rating after a conversation was closed, and stores it in a field of the contact. */
import { text } from '../outline.ts'
import { defineTemplate, optional, pressed, received, sent, waited } from '../template.ts'

const en = ['Good', 'Okay', 'Bad']
const de = ['Gut', 'Geht so', 'Schlecht']
const questionEn = 'Hello Ann, how was our help today?'
const questionDe = 'Hallo Ann, wie war unsere Hilfe heute?'

export const feedback = defineTemplate({
  id: 'feedback',
  kind: 'journey',
  category: 'support',
  parameters: {
    field: { type: 'field', fieldType: 'text' },
    team: { type: 'team', isOptional: true },
  },
  texts: {
    en: {
      name: 'Feedback',
      description:
        'Asks for a rating an hour after a conversation was closed, at most every 30 days. After a bad rating it asks for the reason, and your team takes over.',
      parameters: {
        field: { label: 'Field for the rating', value: 'Last rating' },
        team: { label: 'Team for bad ratings', hint: 'Without one, the conversation keeps its team.' },
      },
      messages: {
        ask: 'Hello {{contact.name | default: "there"}}, how was our help today?',
        options: en,
        thanks: 'Thank you, that helps us.',
        reason: 'We are sorry. What should we do better?',
        sorry: 'Thank you for being open. A colleague will look at this.',
      },
      transcripts: {
        bad: [
          waited({ hours: 1 }),
          sent(questionEn, en),
          pressed('bad', 'Bad'),
          sent('We are sorry. What should we do better?'),
          received('I waited for two days'),
          sent('Thank you for being open. A colleague will look at this.'),
        ],
        good: [
          waited({ hours: 1 }),
          sent(questionEn, en),
          pressed('good', 'Good'),
          sent('Thank you, that helps us.'),
        ],
        silent: [waited({ hours: 1 }), sent(questionEn, en)],
      },
    },
    de: {
      name: 'Feedback',
      description:
        'Bittet eine Stunde nach dem Schließen einer Unterhaltung um eine Bewertung, höchstens alle 30 Tage. Nach einer schlechten fragt sie nach dem Grund, und Ihr Team übernimmt.',
      parameters: {
        field: { label: 'Feld für die Bewertung', value: 'Letzte Bewertung' },
        team: {
          label: 'Team für schlechte Bewertungen',
          hint: 'Ohne Angabe behält die Unterhaltung ihr Team.',
        },
      },
      messages: {
        ask: 'Hallo {{contact.name | default: "und guten Tag"}}, wie war unsere Hilfe heute?',
        options: de,
        thanks: 'Vielen Dank, das hilft uns.',
        reason: 'Das tut uns leid. Was sollen wir besser machen?',
        sorry: 'Danke für Ihre Offenheit. Unser Team sieht sich das an.',
      },
      transcripts: {
        bad: [
          waited({ hours: 1 }),
          sent(questionDe, de),
          pressed('bad', 'Schlecht'),
          sent('Das tut uns leid. Was sollen wir besser machen?'),
          received('Ich habe zwei Tage gewartet'),
          sent('Danke für Ihre Offenheit. Unser Team sieht sich das an.'),
        ],
        good: [
          waited({ hours: 1 }),
          sent(questionDe, de),
          pressed('good', 'Gut'),
          sent('Vielen Dank, das hilft uns.'),
        ],
        silent: [waited({ hours: 1 }), sent(questionDe, de)],
      },
    },
  },
  cases: {
    bad: {
      path: [
        'start:next',
        'wait:next',
        'ask:bad',
        'storeBad:next',
        'reason:answered',
        'sorry:next',
        'assign:next',
      ],
    },
    good: { path: ['start:next', 'wait:next', 'ask:good', 'store:next', 'thanks:next', 'close:next'] },
    silent: { path: ['start:next', 'wait:next', 'ask:timeout', 'close:next'] },
  },
  outline: ({ ask, options, thanks, reason, sorry }, { field, team }) => ({
    trigger: { type: 'conversation_closed' },
    entryMode: 'cooldown',
    start: { cooldown: { for: { days: 30 } } },
    nodes: {
      wait: ['delay', { for: { hours: 1 } }],
      ask: [
        'menu',
        {
          content: text(ask),
          options: ['good', 'okay', 'bad'].map((id, i) => ({ id, title: options[i] })),
          variable: 'rating',
          timeout: { hours: 12 },
        },
      ],
      // Agents read the rating in the words that the customer chose.
      store: ['setField', { fieldId: field, value: options[0] }],
      storeOkay: ['setField', { fieldId: field, value: options[1] }],
      thanks: ['sendMessage', { content: text(thanks) }],
      close: ['closeConversation', {}],
      storeBad: ['setField', { fieldId: field, value: options[2] }],
      reason: ['ask', { content: text(reason), variable: 'reason', timeout: { hours: 12 } }],
      sorry: ['sendMessage', { content: text(sorry) }],
      assign: ['assign', team === '' ? { strategy: 'leastBusy' } : { ...optional('teamId', team) }],
    },
    edges: [
      'start > wait',
      'wait > ask',
      'ask:good > store',
      'ask:okay > storeOkay',
      'store > thanks',
      'storeOkay > thanks',
      'thanks > close',
      'ask:timeout > close',
      'ask:bad > storeBad',
      'storeBad > reason',
      'reason:answered > sorry',
      'reason:timeout > assign',
      'sorry > assign',
    ],
  }),
})
