/**
 * Clears the stored responses of endpoints to events about an erased contact: endpoints may echo what they received.
 * Runs immediately, and again when calls that were in flight have ended.
 */
import { listSeqsContaining } from '../platform/events/log.ts'
import { subscription } from '../platform/events/subscription.ts'
import { enqueueMany } from '../platform/jobs/enqueue.ts'
import { job } from '../platform/jobs/job.ts'
import { clearResponses } from './store/attempts.ts'

/** Longer than a call and the completion of its attempt take. */
const repeatAfterMs = 120_000

export const eraseResponses = job<{ words: string[] }>({
  name: 'webhooks.erase_responses',
  priority: 'bulk',
  handle: async ({ db }, { words }, { tenantId }) => {
    await clearResponses(db, tenantId, await listSeqsContaining(db, tenantId, words), words)
  },
})

export const eraseResponsesOfContacts = subscription({
  name: 'webhooks.erasure',
  types: ['contact.erased'],
  from: 'beginning',
  apply: async (tx, events) => {
    const items = events.flatMap(({ tenantId, data }) => {
      const { contactIds, conversationIds } = data as { contactIds: string[]; conversationIds: string[] }
      const item = { tenantId, payload: { words: [...contactIds, ...conversationIds] } }
      return [item, { ...item, delayMs: repeatAfterMs }]
    })
    await enqueueMany(tx, eraseResponses, items)
  },
})
