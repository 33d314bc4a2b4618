/** Writes to contacts who have been silent, and tags those who cannot be reached or do not reply. */
import { text } from '../outline.ts'
import { defineTemplate, optional, received, sent } from '../template.ts'

export const reEngagement = defineTemplate({
  id: 're_engagement',
  kind: 'journey',
  category: 'loyalty',
  parameters: {
    segment: {
      type: 'segment',
      // Contacts who never wrote have no last interaction either.
      filter: {
        match: 'all',
        conditions: [
          { type: 'lastInteraction', notWithinDays: 60 },
          { type: 'chatCount', operator: 'gte', value: 1 },
        ],
      },
    },
    tag: { type: 'tag' },
    inbox: { type: 'inbox', isOptional: true },
  },
  texts: {
    en: {
      name: 'Re-engagement',
      description:
        'Asks contacts who have been silent for 60 days whether they need anything. Contacts who do not reply, or whose messaging window is closed, get a tag for a campaign with an approved template.',
      parameters: {
        segment: { label: 'Segment of silent contacts', value: 'Silent for 60 days' },
        tag: { label: 'Tag for contacts to win back', value: 'Win back' },
        inbox: { label: 'Inbox', hint: 'Without one, the conversation of the contact is continued.' },
      },
      messages: {
        ask: 'Hello {{contact.name | default: "there"}}, we have not been in touch for a while. Is there anything we can do for you?',
        thanks: 'Good to read from you! A colleague will get back to you shortly.',
      },
      transcripts: {
        replied: [
          sent('Hello Ann, we have not been in touch for a while. Is there anything we can do for you?'),
          received('Yes, do you still have the blue one?'),
          sent('Good to read from you! A colleague will get back to you shortly.'),
        ],
        silent: [
          sent('Hello Ann, we have not been in touch for a while. Is there anything we can do for you?'),
        ],
        closed: [],
      },
    },
    de: {
      name: 'Reaktivierung',
      description:
        'Fragt Kontakte, von denen seit 60 Tagen nichts kam, ob sie etwas brauchen. Wer nicht antwortet oder wegen des geschlossenen Nachrichtenfensters nicht erreicht wird, erhält einen Tag für eine Kampagne mit einer genehmigten Vorlage.',
      parameters: {
        segment: { label: 'Segment der stillen Kontakte', value: 'Seit 60 Tagen still' },
        tag: { label: 'Tag für Kontakte, die zurückgewonnen werden sollen', value: 'Zurückgewinnen' },
        inbox: { label: 'Posteingang', hint: 'Ohne Angabe wird die Unterhaltung des Kontakts fortgesetzt.' },
      },
      messages: {
        ask: 'Hallo {{contact.name | default: "und guten Tag"}}, wir haben länger nichts voneinander gelesen. Können wir etwas für Sie tun?',
        thanks: 'Schön, von Ihnen zu lesen! Unser Team meldet sich in Kürze.',
      },
      transcripts: {
        replied: [
          sent('Hallo Ann, wir haben länger nichts voneinander gelesen. Können wir etwas für Sie tun?'),
          received('Ja, gibt es noch die blaue?'),
          sent('Schön, von Ihnen zu lesen! Unser Team meldet sich in Kürze.'),
        ],
        silent: [
          sent('Hallo Ann, wir haben länger nichts voneinander gelesen. Können wir etwas für Sie tun?'),
        ],
        closed: [],
      },
    },
  },
  cases: {
    replied: { path: ['start:next', 'ask:next', 'reply:replied', 'thanks:next'] },
    silent: { path: ['start:next', 'ask:next', 'reply:timeout', 'tag:next'] },
    closed: { path: ['start:next', 'ask:windowClosed', 'tag:next'], given: () => ({ window: 'closed' }) },
  },
  outline: (messages, { segment, tag, inbox }) => ({
    trigger: { type: 'segment_entered', segmentId: segment },
    entryMode: 'once_active',
    nodes: {
      ask: ['sendMessage', { content: text(messages.ask), ...optional('inboxId', inbox) }],
      reply: ['waitFor', { cases: [{ id: 'replied', event: 'message.received' }], timeout: { days: 7 } }],
      thanks: ['sendMessage', { content: text(messages.thanks), ...optional('inboxId', inbox) }],
      tag: ['addTag', { tagId: tag }],
    },
    edges: [
      'start > ask',
      'ask > reply',
      'ask:windowClosed > tag',
      'reply:replied > thanks',
      'reply:timeout > tag',
    ],
  }),
})
