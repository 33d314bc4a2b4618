import Type from 'typebox'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import {
  addDuration,
  contentReferences,
  contentTextViolations,
  type Duration,
  inboxReferences,
  NodeContent,
} from '../node-fields.ts'
import { defineNode, type Outcome, type Step } from '../node-type.ts'

/** A message is sent, failed or expired by then. */
const sendTimeout = { hours: 25 }
/** Providers report a late rejection within minutes of accepting a message. */
const deliveryTimeout = { minutes: 5 }

const outputByCode: Record<string, string> = { window_closed: 'windowClosed', opted_out: 'optedOut' }

export const sendMessage = defineNode({
  type: 'sendMessage',
  summary: 'Send a message to the contact',
  docs: `Sends to the run's conversation, or to the contact's latest one, or to a new one on \`inboxId\` or the first inbox that
can reach the contact. \`windowClosed\` and \`optedOut\` are decided before sending; nothing is sent in these cases.

With an edge from \`failed\` the run waits until the message is delivered, read or rejected, but at most five minutes
after the provider has accepted it. socialapp reports no deliveries. Without that edge the run continues once the message is accepted for sending.`,
  data: object({ content: NodeContent, inboxId: Type.Optional(AnyId) }),
  example: { content: { type: 'text', text: { body: 'Hello {{contact.name | default: "there"}}' } } },
  undelivered: ['failed', 'windowClosed', 'optedOut'],
  outputs: () => [
    { name: 'next', summary: 'The message was accepted for sending; with an edge from failed, sent' },
    { name: 'failed', summary: 'The message could not be sent' },
    { name: 'windowClosed', summary: 'The messaging window is closed: only a template can be sent' },
    { name: 'optedOut', summary: 'The contact has opted out of this channel' },
  ],
  references: ({ content, inboxId }) => [
    ...inboxReferences(inboxId),
    ...contentReferences(content, 'content', inboxId),
  ],
  violations: ({ content }) => contentTextViolations(content, 'content'),
  run: async step => {
    const { input, data, effects } = step
    if (input.type === 'delivery' && input.status === 'failed') {
      const detail = { code: input.code }
      return { to: outputByCode[input.code ?? ''] ?? 'failed', detail }
    }
    if (input.type === 'delivery' && input.status === 'sent')
      return waitForDelivery(step, step.state as string, deliveryTimeout)
    if (input.type !== 'arrived') return { to: 'next' }
    const content = await step.interpolate(data.content)
    const sent = await effects.send({ content, ...(data.inboxId ? { inboxId: data.inboxId } : {}) })
    if ('refused' in sent)
      return {
        to: outputByCode[sent.refused] ?? 'failed',
        detail: { code: sent.refused, message: sent.message },
      }
    const detail = { messageId: sent.messageId }
    if (!step.connected('failed')) return { to: 'next', detail }
    return { ...waitForDelivery(step, sent.messageId, sendTimeout), detail }
  },
})

function waitForDelivery(step: Pick<Step, 'now'>, messageId: string, atMost: Duration) {
  return { wait: { delivery: messageId, until: addDuration(step.now, atMost) }, state: messageId }
}

/** A refused question ends the run: without an error if the refusal is intended, otherwise as failed. */
export function toRefusedOutcome({ refused, message }: { refused: string; message: string }): Outcome {
  if (['opted_out', 'archived', 'owned_by_user', 'not_owner'].includes(refused))
    return { end: refused, detail: { code: refused, message } }
  return { fail: { code: refused, message } }
}
