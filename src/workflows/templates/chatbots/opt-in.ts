/** Subscribes customers who ask for news, after a confirmation, and unsubscribes those who write stop. */
import { text } from '../outline.ts'
import { defineTemplate, pressed, received, sent } from '../template.ts'

const en = ['Yes, please', 'No']
const de = ['Ja, bitte', 'Nein']
const questionEn =
  'Shall we send you news and offers here, about twice a month? You can end this at any time with STOP.'
const questionDe =
  'Sollen wir Ihnen hier etwa zweimal im Monat Neuigkeiten und Angebote senden? Mit STOP beenden Sie das jederzeit.'

export const optIn = defineTemplate({
  id: 'opt_in',
  kind: 'chatbot',
  category: 'onboarding',
  parameters: { tag: { type: 'tag' }, channel: { type: 'channel' } },
  texts: {
    en: {
      name: 'Opt-in for news',
      description:
        'Customers who write NEWS confirm with a button that they want your messages and get a tag for segments. STOP opts them out of the channel.',
      parameters: {
        tag: { label: 'Tag for subscribers', value: 'Newsletter' },
        channel: { label: 'Channel of the consent', value: 'chatapp' },
      },
      messages: {
        words: ['news', 'subscribe', 'start'],
        stop: ['stop', 'unsubscribe'],
        question: questionEn,
        options: en,
        thanks: 'Thank you, you are on the list.',
        no: 'All right, we will not send you news.',
        stopped: 'You will get no more news from us. Write NEWS if you change your mind.',
      },
      transcripts: {
        subscribed: [
          received('News'),
          sent(questionEn, en),
          pressed('yes', 'Yes, please'),
          sent('Thank you, you are on the list.'),
        ],
        declined: [
          received('News'),
          sent(questionEn, en),
          pressed('no', 'No'),
          sent('All right, we will not send you news.'),
        ],
        stopped: [
          received('Please stop the news'),
          sent('You will get no more news from us. Write NEWS if you change your mind.'),
        ],
        stoppedByService: [received('Stop')],
      },
    },
    de: {
      name: 'Anmeldung für Neuigkeiten',
      description:
        'Wer NEWS schreibt, bestätigt mit einer Schaltfläche, dass Nachrichten erwünscht sind, und erhält einen Tag für Segmente. STOP meldet vom Kanal ab.',
      parameters: {
        tag: { label: 'Tag für Angemeldete', value: 'Newsletter' },
        channel: { label: 'Kanal der Einwilligung', value: 'chatapp' },
      },
      messages: {
        words: ['news', 'neuigkeiten', 'start'],
        stop: ['stop', 'stopp', 'abmelden'],
        question: questionDe,
        options: de,
        thanks: 'Vielen Dank, Sie sind angemeldet.',
        no: 'In Ordnung, wir senden Ihnen keine Neuigkeiten.',
        stopped:
          'Sie erhalten keine Neuigkeiten mehr. Schreiben Sie NEWS, wenn Sie es sich anders überlegen.',
      },
      transcripts: {
        subscribed: [
          received('News'),
          sent(questionDe, de),
          pressed('yes', 'Ja, bitte'),
          sent('Vielen Dank, Sie sind angemeldet.'),
        ],
        declined: [
          received('News'),
          sent(questionDe, de),
          pressed('no', 'Nein'),
          sent('In Ordnung, wir senden Ihnen keine Neuigkeiten.'),
        ],
        stopped: [
          received('Bitte abmelden'),
          sent('Sie erhalten keine Neuigkeiten mehr. Schreiben Sie NEWS, wenn Sie es sich anders überlegen.'),
        ],
        stoppedByService: [received('Stop')],
      },
    },
  },
  cases: {
    subscribed: {
      path: ['start:next', 'which:else', 'ask:yes', 'optIn:next', 'tag:next', 'thanks:next'],
    },
    declined: { path: ['start:next', 'which:else', 'ask:no', 'no:next'] },
    stopped: { path: ['start:next', 'which:stop', 'untag:next', 'stopped:next', 'optOut:next'] },
    stoppedByService: {
      path: ['start:next', 'which:stop', 'untag:next', 'stopped:optedOut', 'optOut:next'],
    },
  },
  outline: (messages, { tag, channel }) => ({
    trigger: { type: 'message_received', match: 'keyword', values: [...messages.words, ...messages.stop] },
    nodes: {
      which: [
        'branch',
        { cases: [{ id: 'stop', expression: `message.text.matches("(?i)${messages.stop.join('|')}")` }] },
      ],
      ask: [
        'menu',
        {
          content: text(messages.question),
          options: ['yes', 'no'].map((id, i) => ({ id, title: messages.options[i] })),
        },
      ],
      optIn: ['setOptOut', { channel, optedOut: false }],
      tag: ['addTag', { tagId: tag }],
      thanks: ['sendMessage', { content: text(messages.thanks) }],
      no: ['sendMessage', { content: text(messages.no) }],
      // Before the opt-out, after which nothing can be sent. After STOP alone the service has opted the contact out already.
      stopped: ['sendMessage', { content: text(messages.stopped) }],
      untag: ['removeTag', { tagId: tag }],
      optOut: ['setOptOut', { channel, optedOut: true }],
    },
    edges: [
      'start > which',
      'which:stop > untag',
      'which:else > ask',
      'ask:yes > optIn',
      'ask:no > no',
      'optIn > tag',
      'tag > thanks',
      'untag > stopped',
      'stopped > optOut',
      'stopped:optedOut > optOut',
    ],
  }),
})
