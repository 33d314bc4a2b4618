/** Thanks for orders: regular customers, VIPs, and those who become one by a large order. */
import { text } from '../outline.ts'
import { defineTemplate, event, optional, sent } from '../template.ts'

export const vip = defineTemplate({
  id: 'vip',
  kind: 'journey',
  category: 'sales',
  parameters: {
    orderEvent: { type: 'text', maxLength: 100 },
    tag: { type: 'tag' },
    inbox: { type: 'inbox', isOptional: true },
  },
  texts: {
    en: {
      name: 'VIP customers',
      description:
        'Thanks for every order. Customers with an order of 200 or more become VIPs, and VIPs get a message of their own.',
      parameters: {
        orderEvent: {
          label: 'Event for an order',
          hint: 'Your shop sends it with POST /events; its data has total, a number.',
          value: 'order_placed',
        },
        tag: { label: 'Tag for VIPs', value: 'VIP' },
        inbox: { label: 'Inbox', hint: 'Without one, the first inbox that reaches the contact sends.' },
      },
      messages: {
        gold: 'Thank you, {{contact.name | default: "dear customer"}}! As a VIP you get free express delivery.',
        promoted:
          'Thank you for this order! You are a VIP now: from your next order on, express delivery is free.',
        plain: 'Thank you for your order! We will write to you when it is on its way.',
      },
      transcripts: {
        promoted: [
          event('order_placed', { total: 250 }),
          sent(
            'Thank you for this order! You are a VIP now: from your next order on, express delivery is free.',
          ),
        ],
        gold: [
          event('order_placed', { total: 20 }),
          sent('Thank you, Ann! As a VIP you get free express delivery.'),
        ],
        plain: [
          event('order_placed', { total: 20 }),
          sent('Thank you for your order! We will write to you when it is on its way.'),
        ],
      },
    },
    de: {
      name: 'VIP-Kunden',
      description:
        'Bedankt sich für jede Bestellung. Wer für 200 oder mehr bestellt, wird VIP, und VIPs erhalten eine eigene Nachricht.',
      parameters: {
        orderEvent: {
          label: 'Ereignis für eine Bestellung',
          hint: 'Ihr Shop sendet es mit POST /events; die Daten enthalten die Zahl total.',
          value: 'order_placed',
        },
        tag: { label: 'Tag für VIPs', value: 'VIP' },
        inbox: { label: 'Posteingang', hint: 'Ohne Angabe sendet der erste, der den Kontakt erreicht.' },
      },
      messages: {
        gold: 'Vielen Dank, {{contact.name | default: "liebe Kundin, lieber Kunde"}}! Als VIP erhalten Sie den Expressversand kostenlos.',
        promoted:
          'Vielen Dank für diese Bestellung! Sie sind jetzt VIP: Ab der nächsten Bestellung ist der Expressversand kostenlos.',
        plain: 'Vielen Dank für Ihre Bestellung! Wir schreiben Ihnen, sobald sie unterwegs ist.',
      },
      transcripts: {
        promoted: [
          event('order_placed', { total: 250 }),
          sent(
            'Vielen Dank für diese Bestellung! Sie sind jetzt VIP: Ab der nächsten Bestellung ist der Expressversand kostenlos.',
          ),
        ],
        gold: [
          event('order_placed', { total: 20 }),
          sent('Vielen Dank, Ann! Als VIP erhalten Sie den Expressversand kostenlos.'),
        ],
        plain: [
          event('order_placed', { total: 20 }),
          sent('Vielen Dank für Ihre Bestellung! Wir schreiben Ihnen, sobald sie unterwegs ist.'),
        ],
      },
    },
  },
  cases: {
    promoted: { path: ['start:next', 'which:large', 'tag:next', 'promoted:next'] },
    gold: { path: ['start:next', 'which:vip', 'gold:next'], given: ({ tag }) => ({ tagIds: [tag] }) },
    plain: { path: ['start:next', 'which:else', 'plain:next'] },
  },
  outline: (messages, { orderEvent, tag, inbox }) => {
    const isVip = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag] }] }
    const send = (body: string): [string, Record<string, unknown>] => [
      'sendMessage',
      { content: text(body), ...optional('inboxId', inbox) },
    ]
    return {
      trigger: { type: 'event', name: orderEvent },
      nodes: {
        which: [
          'branch',
          {
            cases: [
              { id: 'vip', filter: isVip },
              { id: 'large', expression: 'event.data.total >= 200' },
            ],
          },
        ],
        gold: send(messages.gold),
        tag: ['addTag', { tagId: tag }],
        promoted: send(messages.promoted),
        plain: send(messages.plain),
      },
      edges: [
        'start > which',
        'which:vip > gold',
        'which:large > tag',
        'tag > promoted',
        'which:else > plain',
      ],
    }
  },
})
