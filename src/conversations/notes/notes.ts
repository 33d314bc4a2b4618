/**
 * Internal notes in a conversation: for users, never for the customer. A note belongs to the conversation and follows it
 * through merges and erasure. It is written under the lock of the conversation, so that its place in the timeline is
 * final.
 */
import { listUsersById } from '../../identity/users/users.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { fail, invalid, type ProblemKind, violation } from '../../platform/errors.ts'
import { emit } from '../../platform/events/event.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { canSee, toAudience } from '../access.ts'
import { completeDraft } from '../drafts/drafts.ts'
import { ConversationNotFound, NoteNotFound, NoteNotYours } from '../errors.ts'
import { noteCreated, noteDeleted, noteUpdated } from '../events.ts'
import { claimMedia } from '../media/shared-media.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { findVisibleConversation, lockVisibleConversation } from '../store/conversations/conversations.ts'
import { insertMediaUses } from '../store/media/media.ts'
import { deleteNoteRow, findNote, insertNote, releaseNoteMedia, updateNoteRow } from '../store/notes.ts'
import { type NewNote, type Note, NoteId, type NotePatch } from './schemas.ts'

export async function getNote(on: Queryable, caller: Caller, id: string): Promise<Note> {
  const note = (await findNote(on, caller.tenantId, id)) ?? fail(NoteNotFound)
  if (!(await findVisibleConversation(on, caller, note.conversationId))) fail(NoteNotFound)
  return note
}

export async function createNote(
  tx: Tx,
  caller: Caller,
  conversationId: string,
  { text, mentions = [], mediaIds = [], draftRevision }: NewNote,
): Promise<Note> {
  const { tenantId } = caller
  const conversation = await lockConversation(tx, caller, conversationId, ConversationNotFound)
  await checkMentions(tx, conversation, tenantId, mentions)
  await attachFiles(tx, caller, conversation.id, mediaIds)
  const id = NoteId.create()
  await insertNote(tx, tenantId, {
    id,
    conversationId: conversation.id,
    sessionId: conversation.sessionId,
    position: conversation.messageCount,
    authorType: caller.kind,
    authorId: caller.id,
    text,
    mentions: [...new Set(mentions)],
    mediaIds: [...new Set(mediaIds)],
  })
  await completeDraft(tx, caller, conversation.id, 'note', draftRevision)
  const note = (await findNote(tx, tenantId, id))!
  await emit(tx, noteCreated, {
    tenantId,
    data: { note, conversation: conversationToApi(conversation) },
    ...toAddressees(conversation),
  })
  return note
}

/** Only the author changes a note: others would change what the author says. */
export async function updateNote(tx: Tx, caller: Caller, id: string, patch: NotePatch): Promise<Note> {
  const { tenantId } = caller
  const { note, conversation } = await lockNote(tx, caller, id)
  if (note.authorId !== caller.id) fail(NoteNotYours)
  const { text = note.text, mentions = note.mentions, mediaIds = note.mediaIds } = patch
  if (patch.mentions) await checkMentions(tx, conversation, tenantId, mentions)
  if (patch.mediaIds) {
    const added = mediaIds.filter(mediaId => !note.mediaIds.includes(mediaId))
    await attachFiles(tx, caller, conversation.id, added)
  }
  await updateNoteRow(tx, tenantId, {
    id,
    text,
    mentions: [...new Set(mentions)],
    mediaIds: [...new Set(mediaIds)],
  })
  await releaseFiles(
    tx,
    tenantId,
    note,
    note.mediaIds.filter(mediaId => !mediaIds.includes(mediaId)),
  )
  const changed = (await findNote(tx, tenantId, id))!
  await emit(tx, noteUpdated, {
    tenantId,
    data: { note: changed, conversation: conversationToApi(conversation), changes: Object.keys(patch) },
    ...toAddressees(conversation),
  })
  return changed
}

/** The author deletes a note; owners and admins delete any. */
export async function deleteNote(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const { note, conversation } = await lockNote(tx, caller, id)
  if (note.authorId !== caller.id && caller.role === 'agent') fail(NoteNotYours)
  await deleteNoteRow(tx, tenantId, id)
  await releaseFiles(tx, tenantId, note, note.mediaIds)
  await emit(tx, noteDeleted, {
    tenantId,
    data: { note: { id, conversationId: conversation.id }, conversation: conversationToApi(conversation) },
    ...toAddressees(conversation),
  })
}

async function lockConversation(
  tx: Tx,
  caller: Caller,
  id: string,
  notFound: ProblemKind,
): Promise<ConversationRow> {
  return (await lockVisibleConversation(tx, caller, id)) ?? fail(notFound)
}

/** Locks the note through its conversation, and reads it again: it may have been deleted or moved by a merge meanwhile. */
async function lockNote(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<{ note: Note; conversation: ConversationRow }> {
  const found = (await findNote(tx, caller.tenantId, id)) ?? fail(NoteNotFound)
  const conversation = await lockConversation(tx, caller, found.conversationId, NoteNotFound)
  const note = (await findNote(tx, caller.tenantId, id)) ?? fail(NoteNotFound)
  return { note, conversation }
}

async function checkMentions(
  tx: Tx,
  conversation: ConversationRow,
  tenantId: string,
  mentions: readonly string[],
): Promise<void> {
  if (mentions.length === 0) return
  const users = new Map((await listUsersById(tx, tenantId, mentions)).map(user => [user.id, user]))
  const violations = mentions.flatMap((id, i) => {
    const user = users.get(id)
    if (user && !user.disabled && canSee({ ...user, tenantId }, conversation)) return []
    return [violation(`mentions[${i}]`, 'unknown_user', 'is not a user who can see this conversation')]
  })
  if (violations.length > 0) invalid(...violations)
}

/** Everyone who sees the conversation sees the files of its notes. */
async function attachFiles(
  tx: Tx,
  caller: Caller,
  conversationId: string,
  mediaIds: readonly string[],
): Promise<void> {
  if (mediaIds.length === 0) return
  const used = await claimMedia(tx, caller, mediaIds)
  const uses = [...used].map(mediaId => ({ mediaId, conversationId }))
  await insertMediaUses(tx, caller.tenantId, uses)
}

async function releaseFiles(
  tx: Tx,
  tenantId: string,
  { conversationId }: Note,
  mediaIds: readonly string[],
): Promise<void> {
  if (mediaIds.length > 0) await releaseNoteMedia(tx, tenantId, conversationId, mediaIds)
}

function toAddressees(conversation: ConversationRow): { audience?: object } {
  const audience = toAudience(conversation)
  return audience ? { audience } : {}
}
