/** Availability of users: online, away or busy, as they chose it, until a time or until they change it. */
import Type, { type Static } from 'typebox'
import type { Tx } from '../platform/db/db.ts'
import { invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import {
  AnyId,
  literals,
  named,
  nullable,
  object,
  parseTimestamp,
  Timestamp,
} from '../platform/http/schemas.ts'
import { replaceAvailability } from './store/availability.ts'

const Status = literals(['online', 'away', 'busy'])

export const Availability = named(
  'Availability',
  object({
    userId: AnyId,
    status: Status,
    until: nullable(Type.String({ ...Timestamp, description: 'online from then on; null: until changed' })),
  }),
)
export type Availability = Static<typeof Availability>

export const AvailabilityChange = object({
  status: Status,
  until: Type.Optional(Type.String({ ...Timestamp, description: 'online from then on' })),
})
export type AvailabilityChange = Static<typeof AvailabilityChange>

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
