/** Greets new contacts, and sends a tip after two days. */
import { text } from '../outline.ts'
import { defineTemplate, optional, sent, waited } from '../template.ts'

export const welcome = defineTemplate({
  id: 'welcome',
  kind: 'journey',
  category: 'onboarding',
  parameters: {
    company: { type: 'text', maxLength: 80 },
    inbox: { type: 'inbox', isOptional: true },
  },
  texts: {
    en: {
      name: 'Welcome',
      description: 'Greets every new contact, and sends a useful tip two days later.',
      parameters: {
        company: { label: 'Name of your company', value: 'our shop' },
        inbox: { label: 'Inbox', hint: 'Without one, the first inbox that reaches the contact sends.' },
      },
      messages: {
        hello: (company: string) =>
          `Hello {{contact.name | default: "there"}}, welcome to ${company}! Just reply to this message whenever you have a question.`,
        tip: 'A tip: save this number as a contact, so that you find us when you need us.',
      },
      transcripts: {
        greeted: [
          sent('Hello Ann, welcome to our shop! Just reply to this message whenever you have a question.'),
          waited({ days: 2 }),
          sent('A tip: save this number as a contact, so that you find us when you need us.'),
        ],
      },
    },
    de: {
      name: 'Willkommen',
      description: 'Begrüßt jeden neuen Kontakt und sendet zwei Tage später einen nützlichen Tipp.',
      parameters: {
        company: { label: 'Name Ihres Unternehmens', value: 'unserem Shop' },
        inbox: { label: 'Posteingang', hint: 'Ohne Angabe sendet der erste, der den Kontakt erreicht.' },
      },
      messages: {
        hello: company =>
          `Hallo {{contact.name | default: "und guten Tag"}}, willkommen bei ${company}! Antworten Sie einfach auf diese Nachricht, wenn Sie eine Frage haben.`,
        tip: 'Ein Tipp: Speichern Sie diese Nummer als Kontakt, dann finden Sie uns, wenn Sie uns brauchen.',
      },
      transcripts: {
        greeted: [
          sent(
            'Hallo Ann, willkommen bei unserem Shop! Antworten Sie einfach auf diese Nachricht, wenn Sie eine Frage haben.',
          ),
          waited({ days: 2 }),
          sent(
            'Ein Tipp: Speichern Sie diese Nummer als Kontakt, dann finden Sie uns, wenn Sie uns brauchen.',
          ),
        ],
      },
    },
  },
  cases: { greeted: { path: ['start:next', 'hello:next', 'wait:next', 'tip:next'] } },
  outline: (messages, { company, inbox }) => ({
    trigger: { type: 'contact_created' },
    entryMode: 'once',
    nodes: {
      hello: ['sendMessage', { content: text(messages.hello(company)), ...optional('inboxId', inbox) }],
      wait: ['delay', { for: { days: 2 } }],
      tip: ['sendMessage', { content: text(messages.tip), ...optional('inboxId', inbox) }],
    },
    edges: ['start > hello', 'hello > wait', 'wait > tip'],
  }),
})
