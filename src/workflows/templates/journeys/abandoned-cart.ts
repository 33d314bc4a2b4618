/** Reminds of a cart that was not ordered; a changed cart starts again. */
import { text } from '../outline.ts'
import { defineTemplate, event, optional, sent, waited } from '../template.ts'

const cart = { cartId: 'c-1', item: 'a lamp' }
const cartDe = { cartId: 'c-1', item: 'Lampe' }

export const abandonedCart = defineTemplate({
  id: 'abandoned_cart',
  kind: 'journey',
  category: 'sales',
  parameters: {
    cartEvent: { type: 'text', maxLength: 100 },
    orderEvent: { type: 'text', maxLength: 100 },
    tag: { type: 'tag' },
    inbox: { type: 'inbox', isOptional: true },
  },
  texts: {
    en: {
      name: 'Abandoned cart',
      description:
        'Reminds of a cart after an hour and again after a day, stops as soon as it is ordered, and tags contacts who did not order.',
      parameters: {
        cartEvent: {
          label: 'Event for a changed cart',
          hint: 'Your shop sends it with POST /events; its data has cartId and item.',
          value: 'cart_updated',
        },
        orderEvent: {
          label: 'Event for an order',
          hint: 'Its data has the same cartId.',
          value: 'order_placed',
        },
        tag: { label: 'Tag for contacts who did not order', value: 'Abandoned cart' },
        inbox: { label: 'Inbox', hint: 'Without one, the first inbox that reaches the contact sends.' },
      },
      messages: {
        remind:
          'Hello {{contact.name | default: "there"}}, you left {{event.data.item | default: "something"}} in your cart. Shall we keep it for you?',
        again: 'Your cart is still waiting. Reply here if something is unclear, and we will help.',
      },
      transcripts: {
        reminded: [
          event('cart_updated', cart),
          waited({ hours: 1 }),
          sent('Hello Ann, you left a lamp in your cart. Shall we keep it for you?'),
          waited({ days: 1 }),
          sent('Your cart is still waiting. Reply here if something is unclear, and we will help.'),
        ],
        ordered: [event('cart_updated', cart), event('order_placed', { cartId: 'c-1' })],
      },
    },
    de: {
      name: 'Verlassener Warenkorb',
      description:
        'Erinnert nach einer Stunde und noch einmal nach einem Tag an den Warenkorb, endet mit der Bestellung und markiert Kontakte, die nicht bestellt haben.',
      parameters: {
        cartEvent: {
          label: 'Ereignis für einen geänderten Warenkorb',
          hint: 'Ihr Shop sendet es mit POST /events; die Daten enthalten cartId und item.',
          value: 'cart_updated',
        },
        orderEvent: {
          label: 'Ereignis für eine Bestellung',
          hint: 'Die Daten enthalten dieselbe cartId.',
          value: 'order_placed',
        },
        tag: { label: 'Tag für Kontakte, die nicht bestellt haben', value: 'Verlassener Warenkorb' },
        inbox: { label: 'Posteingang', hint: 'Ohne Angabe sendet der erste, der den Kontakt erreicht.' },
      },
      messages: {
        remind:
          'Hallo {{contact.name | default: "und guten Tag"}}, in Ihrem Warenkorb liegt noch: {{event.data.item | default: "ein Artikel"}}. Sollen wir ihn für Sie aufheben?',
        again:
          'Ihr Warenkorb wartet noch. Antworten Sie hier, wenn etwas unklar ist, und wir helfen Ihnen weiter.',
      },
      transcripts: {
        reminded: [
          event('cart_updated', cartDe),
          waited({ hours: 1 }),
          sent('Hallo Ann, in Ihrem Warenkorb liegt noch: Lampe. Sollen wir ihn für Sie aufheben?'),
          waited({ days: 1 }),
          sent(
            'Ihr Warenkorb wartet noch. Antworten Sie hier, wenn etwas unklar ist, und wir helfen Ihnen weiter.',
          ),
        ],
        ordered: [event('cart_updated', cartDe), event('order_placed', { cartId: 'c-1' })],
      },
    },
  },
  cases: {
    reminded: {
      path: ['start:next', 'first:timeout', 'remind:next', 'second:timeout', 'again:next', 'tag:next'],
    },
    ordered: { path: ['start:next', 'first:ordered', 'bought:goal'] },
  },
  outline: (messages, { cartEvent, orderEvent, tag, inbox }) => {
    const ordered = { id: 'ordered', event: orderEvent, match: { cartId: '{{event.data.cartId}}' } }
    return {
      trigger: { type: 'event', name: cartEvent, key: 'cartId', restart: true },
      entryMode: 'once_active',
      nodes: {
        first: ['waitFor', { cases: [ordered], timeout: { hours: 1 } }],
        remind: ['sendMessage', { content: text(messages.remind), ...optional('inboxId', inbox) }],
        second: ['waitFor', { cases: [ordered], timeout: { days: 1 } }],
        again: ['sendMessage', { content: text(messages.again), ...optional('inboxId', inbox) }],
        tag: ['addTag', { tagId: tag }],
        bought: ['goal', { name: 'ordered' }],
      },
      edges: [
        'start > first',
        'first:ordered > bought',
        'first:timeout > remind',
        'remind > second',
        'second:ordered > bought',
        'second:timeout > again',
        'again > tag',
      ],
    }
  },
})
