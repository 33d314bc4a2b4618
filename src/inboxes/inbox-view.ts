/** An inbox as the API shows it. */
import type { Inbox } from './schemas.ts'
import type { InboxRow } from './store/inboxes.ts'
import { toStatus } from './troubles.ts'

export function inboxToApi(row: InboxRow): Inbox {
  const { id, createdAt, updatedAt, tenantId, channel, externalId, createdBy, name, teamId, config } = row
  return {
    id,
    createdAt,
    updatedAt,
    tenantId,
    channel,
    externalId,
    createdBy,
    name,
    teamId,
    status: toStatus(row.troubles),
    config,
  }
}
