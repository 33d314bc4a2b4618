/** Matches contacts with an identity on at least one of the channels. */
import Type from 'typebox'
import { ChannelName } from '../../../contacts/schemas.ts'
import { sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export const hasAnyChannel = conditionType({
  schema: object({
    type: Type.Literal('hasAnyChannel'),
    channels: Type.Array(ChannelName, { minItems: 1, maxItems: 10 }),
  }),
  sql: ({ channels }, { tenantId }) => {
    const ids = sql`
      select contact_id from contact_identities where tenant_id = ${tenantId} and channel = any(${channels})
        and not reserved`
    return {
      check: sql`coalesce((
        select true from contact_identities l
        where l.tenant_id = c.tenant_id and l.channel = any(${channels}) and l.contact_id = c.id
          and not l.reserved limit 1), false)`,
      collectCheck: sql`c.id in (${ids})`,
      ids,
      orderedIds: [...new Set(channels)].map(
        channel => sql`
          select contact_id from contact_identities where tenant_id = ${tenantId} and channel = ${channel}
            and not reserved`,
      ),
    }
  },
  matches: ({ channels }, contact) => contact.channels.some(channel => channels.includes(channel)),
})
