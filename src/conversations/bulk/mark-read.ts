/** Marks many conversations as read for one user, and takes it back. The conversations themselves do not change. */
import type { Tx } from '../../platform/db/db.ts'
import type { Viewer } from '../access.ts'
import { emitManyRead, toSeenPosition } from '../read-state.ts'
import { type CursorRow, listReadCursors, setReadCursors } from '../store/bulk/apply-changes.ts'
import type { ItemOutcome, ItemRow, UndoOutcome } from '../store/bulk/bulk-actions.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { lockUnreadCounter } from '../store/read-state.ts'
import { toOutcome, toUndoOutcome } from './outcomes.ts'

type Cursor = Omit<CursorRow, 'conversationId'>

interface BeforeRead {
  cursor: Cursor | null
  /** Where the action set the cursor. */
  readTo: number
}

export async function markBatchRead(
  tx: Tx,
  viewer: Viewer,
  items: readonly ItemRow[],
  rows: ReadonlyMap<string, ConversationRow>,
): Promise<ItemOutcome[]> {
  const { tenantId, id: userId } = viewer
  const counter = await lockUnreadCounter(tx, tenantId, userId)
  const cursors = await loadCursors(tx, tenantId, userId, [...rows.keys()])
  const moved = [...rows.values()].filter(({ id, messageCount }) => {
    const position = cursors.get(id)?.position ?? 0
    return position < messageCount
  })
  await setReadCursors(
    tx,
    tenantId,
    userId,
    moved.map(row => ({
      conversationId: row.id,
      position: row.messageCount,
      customerPosition: row.customerCount,
      seenPosition: toSeenPosition(row, row.messageCount),
    })),
  )
  const ids = new Set(moved.map(row => row.id))
  await emitManyRead(tx, viewer, counter, [...ids])
  return items.map(item => {
    const row = rows.get(item.conversationId)
    if (!row) return toOutcome(item, 'failed', { error: 'conversation_not_found' })
    if (!ids.has(row.id)) return toOutcome(item, 'unchanged')
    const before: BeforeRead = { cursor: cursors.get(row.id) ?? null, readTo: row.messageCount }
    return toOutcome(item, 'changed', { before })
  })
}

export async function restoreBatchRead(
  tx: Tx,
  viewer: Viewer,
  items: readonly ItemRow[],
  rows: ReadonlyMap<string, ConversationRow>,
): Promise<UndoOutcome[]> {
  const { tenantId, id: userId } = viewer
  const counter = await lockUnreadCounter(tx, tenantId, userId)
  const cursors = await loadCursors(tx, tenantId, userId, [...rows.keys()])
  const isUnchanged = ({ conversationId, before }: ItemRow) =>
    cursors.get(conversationId)?.position === (before as BeforeRead).readTo
  const restored = items.filter(item => rows.has(item.conversationId) && isUnchanged(item))
  await setReadCursors(
    tx,
    tenantId,
    userId,
    restored.map(({ conversationId, before }) => {
      const { cursor } = before as BeforeRead
      return cursor ? { ...cursor, conversationId } : { conversationId, position: null }
    }),
  )
  await emitManyRead(
    tx,
    viewer,
    counter,
    restored.map(item => item.conversationId),
  )
  return items.map(item => {
    if (!rows.has(item.conversationId)) return toUndoOutcome(item, 'failed', 'conversation_not_found')
    return toUndoOutcome(item, restored.includes(item) ? 'restored' : 'changed')
  })
}

async function loadCursors(
  tx: Tx,
  tenantId: string,
  userId: string,
  conversationIds: readonly string[],
): Promise<Map<string, Cursor>> {
  const rows = await listReadCursors(tx, tenantId, userId, conversationIds)
  return new Map(rows.map(({ conversationId, ...cursor }) => [conversationId, cursor]))
}
