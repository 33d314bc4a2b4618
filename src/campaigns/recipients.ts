/** Recipients of a campaign: a page at a time, and all of them as CSV. */
import { toCsvCell } from '../contacts/csv/cells.ts'
import type { Db } from '../platform/db/db.ts'
import { type Page, toCursorList } from '../platform/http/page.ts'
import type { CampaignRow } from './store/campaigns.ts'
import { listRecipients, type RecipientFilter, type RecipientRow } from './store/recipients.ts'

export async function listRecipientsPage(
  db: Db,
  { tenantId, id }: CampaignRow,
  filter: RecipientFilter,
  page: Page,
) {
  const found = await listRecipients(db, tenantId, id, filter, {
    limit: page.limit + 1,
    before: page.after?.[0],
  })
  const { rows, next } = page.toPage(found, row => [row.contactId])
  return toCursorList(rows.map(recipientToApi), next)
}

function recipientToApi({ contactId, contactName, status, reason, messageId, updatedAt }: RecipientRow) {
  return {
    contactId,
    contactName,
    status,
    ...(reason === null ? {} : { reason }),
    ...(messageId === null ? {} : { messageId }),
    updatedAt,
  }
}

const batchSize = 2_000

/** Reads page by page in separate statements, so that a slow download holds no snapshot. */
export async function* exportRecipients(
  db: Db,
  { tenantId, id }: CampaignRow,
  filter: RecipientFilter,
): AsyncGenerator<string> {
  yield 'contactId,contactName,status,reason,messageId,updatedAt\r\n'
  for (let before: string | undefined; ; ) {
    const rows = await listRecipients(db, tenantId, id, filter, { limit: batchSize, before })
    if (rows.length > 0) yield rows.map(toCsvLine).join('')
    if (rows.length < batchSize) return
    before = rows.at(-1)!.contactId
  }
}

function toCsvLine({ contactId, contactName, status, reason, messageId, updatedAt }: RecipientRow): string {
  return `${contactId},${toCsvCell(contactName ?? '')},${status},${reason ?? ''},${messageId ?? ''},${updatedAt}\r\n`
}
