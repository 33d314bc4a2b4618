/** Matches contacts that opted out of a channel. */
import Type from 'typebox'
import { ChannelName } from '../../../contacts/schemas.ts'
import { sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export const optedOut = conditionType({
  schema: object(
    { type: Type.Literal('optedOut'), channel: ChannelName },
    { description: 'extension: has opted out of the channel' },
  ),
  sql: ({ channel }, { tenantId }) => {
    const ids = sql`select contact_id from contact_opt_outs where tenant_id = ${tenantId} and channel = ${channel}`
    return {
      check: sql`coalesce((
        select true from contact_opt_outs l
        where l.tenant_id = c.tenant_id and l.contact_id = c.id and l.channel = ${channel} limit 1), false)`,
      collectCheck: sql`c.id in (${ids})`,
      ids,
      orderedIds: [ids],
    }
  },
  matches: ({ channel }, { optOuts }) => optOuts.includes(channel),
})
