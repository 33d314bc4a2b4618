/**
 * Drafts of users: unsent replies and notes. A change names the revision that it is based on, so that a tab with an older
 * text never overwrites a newer one. The transaction that sends the text deletes the draft: it cannot be sent again.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { getConversation } from '../conversations.ts'
import { DraftConflict } from '../errors.ts'
import {
  type CompletedDraft,
  deleteDraftRow,
  deleteSentDrafts,
  findDraft,
  insertDraft,
  updateDraftRow,
} from '../store/drafts.ts'
import type { DraftChange, DraftKind, DraftNotice, StoredDraft } from './schemas.ts'

/** A draft of a user has changed; emitted after the commit, in this process. */
export const draftsChanged = 'conversations.drafts'

export async function getDraft(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  kind: DraftKind,
): Promise<{ draft: StoredDraft | null }> {
  const { id } = await getConversation(on, caller, conversationId)
  return { draft: (await findDraft(on, caller, id, kind)) ?? null }
}

export async function saveDraft(
  tx: Tx,
  caller: Caller,
  conversationId: string,
  change: DraftChange,
): Promise<StoredDraft> {
  const { id } = await getConversation(tx, caller, conversationId)
  const saved =
    change.revision === 0
      ? await insertDraft(tx, caller, id, change)
      : await updateDraftRow(tx, caller, id, change)
  if (!saved) return refuse(tx, caller, id, change.kind)
  signalChange(tx, caller, saved)
  return saved
}

/** Deletes the draft if it has this revision. Does nothing if there is none. */
export async function discardDraft(
  tx: Tx,
  caller: Caller,
  conversationId: string,
  { kind, revision }: { kind: DraftKind; revision?: number },
): Promise<void> {
  const { id } = await getConversation(tx, caller, conversationId)
  if (await deleteDraftRow(tx, caller, id, { kind, revision }))
    signalChange(tx, caller, { conversationId: id, kind, revision: null })
  else if (await findDraft(tx, caller, id, kind)) await refuse(tx, caller, id, kind)
}

/** Deletes the draft that the caller has sent, unless it is newer than `revision`. */
export async function completeDraft(
  tx: Tx,
  caller: Caller,
  conversationId: string,
  kind: DraftKind,
  revision: number | undefined,
): Promise<void> {
  if (caller.kind !== 'user') return
  if (await deleteDraftRow(tx, caller, conversationId, { kind, maxRevision: revision }))
    signalChange(tx, caller, { conversationId, kind, revision: null })
}

/** Deletes the drafts of messages that the transaction has inserted. */
export async function completeDrafts(tx: Tx, sent: readonly CompletedDraft[]): Promise<void> {
  if (sent.length === 0) return
  for (const draft of await deleteSentDrafts(tx, sent))
    tx.signal(draftsChanged, { ...draft, revision: null } satisfies DraftNotice)
}

function signalChange(
  tx: Tx,
  { tenantId, id: userId }: Caller,
  { conversationId, kind, revision }: Pick<DraftNotice, 'conversationId' | 'kind' | 'revision'>,
): void {
  const notice: DraftNotice = { tenantId, userId, conversationId, kind, revision }
  tx.signal(draftsChanged, notice)
}

async function refuse(tx: Tx, caller: Caller, id: string, kind: DraftKind): Promise<never> {
  const draft = (await findDraft(tx, caller, id, kind)) ?? null
  return fail(
    DraftConflict,
    draft
      ? `the draft has revision ${draft.revision}`
      : 'the draft was sent or deleted; save with revision 0',
    { members: { draft } },
  )
}
