/** The ledger as it is shown: page by page, or whole as CSV. */
import { written } from '../contacts/csv/cells.ts'
import type { Db } from '../platform/db/db.ts'
import type { Page } from '../platform/http/page.ts'
import type { RecipientStatus } from './schemas.ts'
import type { CampaignRow } from './store/campaigns.ts'
import { listRecipients, type RecipientRow } from './store/ledger.ts'

export async function recipientsPage(
  db: Db,
  { tenantId, id }: CampaignRow,
  status: RecipientStatus | undefined,
  page: Page,
) {
  const found = await listRecipients(db, tenantId, id, status, {
    limit: page.limit + 1,
    before: page.after?.[0],
  })
  const { rows, next } = page.cut(found, row => [row.contactId])
  return { items: rows.map(shown), nextCursor: next ?? null, hasMore: next !== undefined }
}

function shown({ contactId, contactName, status, reason, messageId, updatedAt }: RecipientRow) {
  return {
    contactId,
    contactName,
    status,
    ...(reason === null ? {} : { reason }),
    ...(messageId === null ? {} : { messageId }),
    updatedAt,
  }
}

const rowsAtOnce = 2_000

/** Read in pages, each in a statement of its own: however long it takes, it holds nothing back. */
export async function* recipientsCsv(
  db: Db,
  { tenantId, id }: CampaignRow,
  status: RecipientStatus | undefined,
): AsyncGenerator<string> {
  yield 'contactId,contactName,status,reason,messageId,updatedAt\r\n'
  for (let before: string | undefined; ; ) {
    const rows = await listRecipients(db, tenantId, id, status, { limit: rowsAtOnce, before })
    if (rows.length > 0) yield rows.map(lineOf).join('')
    if (rows.length < rowsAtOnce) return
    before = rows.at(-1)!.contactId
  }
}

function lineOf({ contactId, contactName, status, reason, messageId, updatedAt }: RecipientRow): string {
  return `${contactId},${written(contactName ?? '')},${status},${reason ?? ''},${messageId ?? ''},${updatedAt}\r\n`
}
