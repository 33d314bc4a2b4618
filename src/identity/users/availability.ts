/** Availability of users: online, away or busy, as they chose it, until a time or until they change it. */
import type { Tx } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { parseTimestamp } from '../../platform/http/schemas.ts'
import type { Availability, AvailabilityChange } from '../schemas.ts'
import { replaceAvailability } from '../store/availability.ts'

/** The availability of a user has changed; emitted after the commit, in this process. */
export const availabilityChanged = 'identity.availability_changed'

export interface AvailabilityNotice extends Availability {
  tenantId: string
}

export async function setAvailability(
  tx: Tx,
  { tenantId, id: userId }: Caller,
  { status, until }: AvailabilityChange,
): Promise<Availability> {
  const end = until === undefined ? null : parseTimestamp(until).toISOString()
  if (end !== null && end <= tx.now) invalid(violation('until', 'in_the_past', 'must be in the future'))
  const availability = { userId, status, until: end }
  await replaceAvailability(tx, tenantId, availability)
  tx.signal(availabilityChanged, { tenantId, ...availability } satisfies AvailabilityNotice)
  return availability
}
