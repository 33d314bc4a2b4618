import { contactErased } from '../conversations/events.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { deleteVisitors } from './store/visitors.ts'
import { toSubject } from './visitors/visitors.ts'

/** Deletes the visitors behind an erased contact; their browsers start new sessions. */
export const deleteErasedVisitors = subscription({
  name: 'webchat.erasure',
  types: [contactErased.type],
  from: 'end',
  apply: async (tx, events) => {
    for (const event of events) {
      if (!isEvent(contactErased, event)) continue
      const addresses = event.data.addresses ?? []
      const subjects = addresses.flatMap(address => toSubject(address) ?? [])
      await deleteVisitors(tx, event.tenantId, { ids: addresses, subjects })
    }
  },
})
