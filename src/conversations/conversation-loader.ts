/** Loads conversations for hot paths: concurrent calls share one query. */
import { batched } from '../platform/db/batched.ts'
import type { Db } from '../platform/db/db.ts'
import { canSee, type Viewer } from './access.ts'
import { type Address, listConversationsByAddress } from './store/addresses.ts'
import {
  type ConversationRow,
  findVisibleConversation,
  listConversationsByIds,
} from './store/conversations.ts'

/** Loads any conversation of the tenant by an address of its customer. */
export const loadConversationByAddress = batched<Address, ConversationRow | undefined>(
  { batchSize: 64, concurrency: 4 },
  async (db, addresses) => {
    const found = new Map((await listConversationsByAddress(db, addresses)).map(row => [row.ordinal, row]))
    return addresses.map((_, i) => found.get(i + 1))
  },
)

const loadConversationById = batched<{ tenantId: string; id: string }, ConversationRow | undefined>(
  { batchSize: 64, concurrency: 4 },
  async (db, keys) => {
    const found = new Map(
      (await listConversationsByIds(db, keys)).map(row => [`${row.tenantId} ${row.id}`, row]),
    )
    return keys.map(({ tenantId, id }) => found.get(`${tenantId} ${id}`))
  },
)

/** Loads a conversation that the viewer may see, also by the id of one that was merged into it. */
export async function loadVisibleConversation(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<ConversationRow | undefined> {
  const { tenantId } = viewer
  const row = await loadConversationById(db, { tenantId, id })
  if (row) return canSee(viewer, row) ? row : undefined
  return findVisibleConversation(db, viewer, id)
}
