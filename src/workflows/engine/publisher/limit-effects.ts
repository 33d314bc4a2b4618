/** Limits the effects of a run to what the agent who published its version can see. */
import { isContactVisible, type Viewer } from '../../../contacts/contact-views.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Effects } from '../../nodes/node-type.ts'

/** Thrown instead of an effect on a contact or conversation that the publisher cannot see; the run ends. */
export class NotVisible extends Error {}

/** Effects that concern the contact. Those on conversations check the locked conversation themselves. */
const contactEffects = ['addTag', 'removeTag', 'setField', 'setOptOut', 'emitEvent', 'startJourney'] as const

export function limitEffects(
  tx: Tx,
  viewer: Viewer | undefined,
  contactId: string,
  effects: Effects,
): Effects {
  if (!viewer) return effects
  const limited = contactEffects.map(name => [
    name,
    async (...args: unknown[]) => {
      if (!(await isContactVisible(tx, viewer, contactId))) throw new NotVisible('the contact is not visible')
      return (effects[name] as (...given: unknown[]) => unknown)(...args)
    },
  ])
  return Object.assign(Object.create(effects), Object.fromEntries(limited)) as Effects
}
