/** Asks what it is about before a colleague takes over. */
import { text } from '../outline.ts'
import { defineTemplate, optional, received, sent } from '../template.ts'

export const handoff = defineTemplate({
  id: 'handoff',
  kind: 'chatbot',
  category: 'support',
  parameters: { team: { type: 'team', isOptional: true }, field: { type: 'field', fieldType: 'text' } },
  texts: {
    en: {
      name: 'Handover to a person',
      description:
        'Asks every customer what it is about, stores it for your colleagues, and hands the conversation over, also without an answer.',
      parameters: {
        team: { label: 'Team', hint: 'Without one, the team of the inbox.' },
        field: { label: 'Field for the topic', value: 'Topic' },
      },
      messages: {
        ask: 'Hello! So that the right colleague replies: what is it about, in a sentence?',
        thanks: 'Thank you. A colleague will take over here.',
      },
      transcripts: {
        answered: [
          received('I need a person'),
          sent('Hello! So that the right colleague replies: what is it about, in a sentence?'),
          received('My invoice is wrong'),
          sent('Thank you. A colleague will take over here.'),
        ],
        silent: [
          received('I need a person'),
          sent('Hello! So that the right colleague replies: what is it about, in a sentence?'),
        ],
      },
    },
    de: {
      name: 'Übergabe an eine Person',
      description:
        'Fragt, worum es geht, speichert es für Ihr Team und übergibt die Unterhaltung, auch ohne Antwort.',
      parameters: {
        team: { label: 'Team', hint: 'Ohne Angabe das Team des Posteingangs.' },
        field: { label: 'Feld für das Thema', value: 'Thema' },
      },
      messages: {
        ask: 'Guten Tag! Damit die richtige Person antwortet: Worum geht es, in einem Satz?',
        thanks: 'Vielen Dank. Unser Team übernimmt hier.',
      },
      transcripts: {
        answered: [
          received('Ich brauche einen Menschen'),
          sent('Guten Tag! Damit die richtige Person antwortet: Worum geht es, in einem Satz?'),
          received('Meine Rechnung ist falsch'),
          sent('Vielen Dank. Unser Team übernimmt hier.'),
        ],
        silent: [
          received('Ich brauche einen Menschen'),
          sent('Guten Tag! Damit die richtige Person antwortet: Worum geht es, in einem Satz?'),
        ],
      },
    },
  },
  cases: {
    answered: { path: ['start:next', 'ask:answered', 'store:next', 'thanks:next', 'handoff:handed_off'] },
    silent: { path: ['start:next', 'ask:timeout', 'handoff:handed_off'] },
  },
  outline: (messages, { team, field }) => ({
    trigger: { type: 'message_received' },
    nodes: {
      ask: ['ask', { content: text(messages.ask), variable: 'topic', timeout: { minutes: 5 } }],
      store: ['setField', { fieldId: field, value: '{{variables.topic}}' }],
      thanks: ['sendMessage', { content: text(messages.thanks) }],
      handoff: ['handoff', optional('teamId', team)],
    },
    edges: [
      'start > ask',
      'ask:answered > store',
      'ask:timeout > handoff',
      'store > thanks',
      'thanks > handoff',
    ],
  }),
})
