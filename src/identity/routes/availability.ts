import Type from 'typebox'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { everyone } from '../rights/roles.ts'
import { Availability, AvailabilityChange } from '../schemas.ts'
import { listAvailability } from '../store/availability.ts'
import { setAvailability } from '../users/availability.ts'

const route = section('Users', { extension: true })

export const availabilityRoutes = [
  route('GET /users/availability', {
    operationId: 'listAvailability',
    summary: 'List who is online, away or busy',
    description:
      'As the users chose it; disabled users are left out. Whether a user views a conversation is sent as `presence` over realtime.',
    access: { scopes: ['user:list'], roles: everyone },
    success: { status: 200, body: object({ availability: Type.Array(Availability) }) },
    handle: async ({ db, clock, caller }) => ({
      availability: await listAvailability(db, caller.tenantId, clock.now().toISOString()),
    }),
  }),
  route('PUT /users/me/availability', {
    operationId: 'setAvailability',
    summary: 'Set yourself online, away or busy',
    description: 'With `until` you are online again from then on. Colleagues receive `availability_changed`.',
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true },
    body: AvailabilityChange,
    example: { status: 'busy' },
    success: { status: 200, body: Availability },
    handle: ({ write, caller, body }) => write(tx => setAvailability(tx, caller, body)),
  }),
]
