/** Asks interested customers for their name and e-mail address, and hands them over to sales. */
import { text } from '../outline.ts'
import { defineTemplate, optional, received, sent } from '../template.ts'

export const leadCapture = defineTemplate({
  id: 'lead_capture',
  kind: 'chatbot',
  category: 'sales',
  parameters: {
    tag: { type: 'tag' },
    field: { type: 'field', fieldType: 'text' },
    team: { type: 'team', isOptional: true },
  },
  texts: {
    en: {
      name: 'Lead capture',
      description:
        'Asks new customers what they are interested in and for their e-mail address, stores both, and hands the conversation over.',
      parameters: {
        tag: { label: 'Tag for leads', value: 'Lead' },
        field: { label: 'Field for the interest', value: 'Interest' },
        team: { label: 'Team for leads', hint: 'Without one, the team of the inbox.' },
      },
      messages: {
        interest: 'Hello! What are you interested in?',
        mail: 'Good choice. What is your e-mail address, so that we can send you an offer?',
        retry: 'Please write an e-mail address such as ann@example.com.',
        thanks: 'Thank you! You will get our offer at {{variables.mail}}.',
        person: 'No problem, we continue here. A colleague will reply shortly.',
      },
      transcripts: {
        captured: [
          received('Hi'),
          sent('Hello! What are you interested in?'),
          received('A standing desk'),
          sent('Good choice. What is your e-mail address, so that we can send you an offer?'),
          received('later'),
          sent('Please write an e-mail address such as ann@example.com.'),
          received('ann@example.com'),
          sent('Thank you! You will get our offer at ann@example.com.'),
        ],
        refused: [
          received('Hi'),
          sent('Hello! What are you interested in?'),
          received('A standing desk'),
          sent('Good choice. What is your e-mail address, so that we can send you an offer?'),
          received('no'),
          sent('Please write an e-mail address such as ann@example.com.'),
          received('never'),
          sent('No problem, we continue here. A colleague will reply shortly.'),
        ],
      },
    },
    de: {
      name: 'Lead-Erfassung',
      description:
        'Fragt neue Kundinnen und Kunden nach ihrem Interesse und ihrer E-Mail-Adresse, speichert beides und übergibt die Unterhaltung.',
      parameters: {
        tag: { label: 'Tag für Leads', value: 'Lead' },
        field: { label: 'Feld für das Interesse', value: 'Interesse' },
        team: { label: 'Team für Leads', hint: 'Ohne Angabe das Team des Posteingangs.' },
      },
      messages: {
        interest: 'Guten Tag! Wofür interessieren Sie sich?',
        mail: 'Gute Wahl. An welche E-Mail-Adresse dürfen wir Ihnen ein Angebot senden?',
        retry: 'Bitte schreiben Sie eine E-Mail-Adresse wie ann@example.com.',
        thanks: 'Danke! Sie erhalten unser Angebot an {{variables.mail}}.',
        person: 'Kein Problem, wir machen hier weiter. Unser Team antwortet in Kürze.',
      },
      transcripts: {
        captured: [
          received('Hallo'),
          sent('Guten Tag! Wofür interessieren Sie sich?'),
          received('Ein Stehpult'),
          sent('Gute Wahl. An welche E-Mail-Adresse dürfen wir Ihnen ein Angebot senden?'),
          received('später'),
          sent('Bitte schreiben Sie eine E-Mail-Adresse wie ann@example.com.'),
          received('ann@example.com'),
          sent('Danke! Sie erhalten unser Angebot an ann@example.com.'),
        ],
        refused: [
          received('Hallo'),
          sent('Guten Tag! Wofür interessieren Sie sich?'),
          received('Ein Stehpult'),
          sent('Gute Wahl. An welche E-Mail-Adresse dürfen wir Ihnen ein Angebot senden?'),
          received('nein'),
          sent('Bitte schreiben Sie eine E-Mail-Adresse wie ann@example.com.'),
          received('niemals'),
          sent('Kein Problem, wir machen hier weiter. Unser Team antwortet in Kürze.'),
        ],
      },
    },
  },
  cases: {
    captured: {
      path: [
        'start:next',
        'interest:answered',
        'tag:next',
        'storeInterest:next',
        'mail:answered',
        'storeMail:next',
        'thanks:next',
        'handoff:handed_off',
      ],
    },
    refused: {
      path: [
        'start:next',
        'interest:answered',
        'tag:next',
        'storeInterest:next',
        'mail:invalid',
        'person:next',
        'handoff:handed_off',
      ],
    },
  },
  outline: (messages, { tag, field, team }) => ({
    trigger: { type: 'conversation_started' },
    nodes: {
      interest: ['ask', { content: text(messages.interest), variable: 'interest' }],
      tag: ['addTag', { tagId: tag }],
      storeInterest: ['setField', { fieldId: field, value: '{{variables.interest}}' }],
      mail: [
        'ask',
        {
          content: text(messages.mail),
          retryContent: text(messages.retry),
          retries: 1,
          variable: 'mail',
          validate: 'email',
        },
      ],
      storeMail: ['setField', { fieldId: 'cf_email', value: '{{variables.mail}}' }],
      thanks: ['sendMessage', { content: text(messages.thanks) }],
      person: ['sendMessage', { content: text(messages.person) }],
      handoff: ['handoff', optional('teamId', team)],
    },
    edges: [
      'start > interest',
      'interest:answered > tag',
      'tag > storeInterest',
      'storeInterest > mail',
      'mail:answered > storeMail',
      'mail:invalid > person',
      'storeMail > thanks',
      'thanks > handoff',
      'person > handoff',
    ],
  }),
})
