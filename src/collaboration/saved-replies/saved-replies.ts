/** Saved replies: texts and files that agents insert into a reply, for themselves, for teams or for the workspace. */
import { normalizeText } from '../../contacts/search/search-text.ts'
import { claimMedia, shareMedia } from '../../conversations/media/shared-media.ts'
import { isUniqueViolation, type Queryable, type Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { hasVisibleCharacter } from '../../platform/visible-text.ts'
import { SavedReplyLimitReached, SavedReplyNotFound, SavedReplyShortcutTaken } from '../errors.ts'
import { assertCanEdit, patchSharing, resolveSharing, type Sharing, toChangeAudience } from '../sharing.ts'
import {
  countSavedReplies,
  deleteSavedReplyRow,
  findSavedReply,
  insertSavedReply,
  lockSavedReply,
  type SavedReplyRow,
  savedReplyToApi,
  updateSavedReplyRow,
} from '../store/saved-replies.ts'
import { checkPlaceholders, fillPlaceholders } from './placeholders.ts'
import { type NewSavedReply, type SavedReply, SavedReplyId, type SavedReplyPatch } from './schemas.ts'

const maxShared = 2_000
const maxPrivate = 500
const editors = 'members'

export async function getSavedReply(on: Queryable, caller: Caller, id: string): Promise<SavedReply> {
  return savedReplyToApi((await findSavedReply(on, caller, id)) ?? fail(SavedReplyNotFound))
}

export async function createSavedReply(tx: Tx, caller: Caller, input: NewSavedReply): Promise<SavedReply> {
  const { tenantId } = caller
  const { shortcut, text = '', mediaIds = [] } = input
  const sharing = await resolveSharing(tx, caller, input, editors)
  await assertBelowLimit(tx, tenantId, sharing)
  const row: SavedReplyRow = {
    id: SavedReplyId.create(),
    shortcut,
    text,
    mediaIds,
    ...sharing,
    revision: 1,
    createdBy: caller.id,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await checkContent(tx, tenantId, row)
  await claimMedia(tx, caller, mediaIds)
  await mapShortcutTaken(shortcut, insertSavedReply(tx, tenantId, { ...row, ...toKeys(row) }))
  await share(tx, tenantId, row)
  await emitChanged(tx, tenantId, { kind: 'saved_reply', id: row.id, revision: 1 }, toChangeAudience(row))
  return savedReplyToApi(row)
}

export async function updateSavedReply(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: SavedReplyPatch,
): Promise<SavedReply> {
  const { tenantId } = caller
  const before = await lockEditable(tx, caller, id)
  const { scope: _, teamIds: __, ...content } = patch
  const after: SavedReplyRow = {
    ...before,
    ...content,
    ...(await patchSharing(tx, caller, before, patch, editors)),
    revision: before.revision + 1,
    updatedAt: tx.now,
  }
  if (after.ownerId !== before.ownerId) await assertBelowLimit(tx, tenantId, after)
  await checkContent(tx, tenantId, after)
  await claimMedia(
    tx,
    caller,
    after.mediaIds.filter(mediaId => !before.mediaIds.includes(mediaId)),
  )
  await mapShortcutTaken(after.shortcut, updateSavedReplyRow(tx, tenantId, { ...after, ...toKeys(after) }))
  await share(tx, tenantId, after)
  const change = { kind: 'saved_reply', id, revision: after.revision } as const
  await emitChanged(tx, tenantId, change, toChangeAudience(before, after))
  return savedReplyToApi(after)
}

export async function deleteSavedReply(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const row = await lockEditable(tx, caller, id)
  await deleteSavedReplyRow(tx, tenantId, id)
  await shareMedia(tx, tenantId, { id, userId: null, teamIds: null }, [])
  await emitChanged(tx, tenantId, { kind: 'saved_reply', id, revision: null }, toChangeAudience(row))
}

export async function renderSavedReply(on: Queryable, caller: Caller, id: string, conversationId: string) {
  const reply = (await findSavedReply(on, caller, id)) ?? fail(SavedReplyNotFound)
  const { text, missing } = await fillPlaceholders(on, caller, conversationId, reply.text)
  return { text, mediaIds: reply.mediaIds, missing: [...new Set(missing)] }
}

async function lockEditable(tx: Tx, caller: Caller, id: string): Promise<SavedReplyRow> {
  const row = (await lockSavedReply(tx, caller, id)) ?? fail(SavedReplyNotFound)
  assertCanEdit(caller, row, editors)
  return row
}

async function assertBelowLimit(tx: Tx, tenantId: string, { ownerId }: Sharing): Promise<void> {
  const max = ownerId === '' ? maxShared : maxPrivate
  if ((await countSavedReplies(tx, tenantId, ownerId)) < max) return
  fail(
    SavedReplyLimitReached,
    `there are at most ${max} ${ownerId === '' ? 'shared' : 'private'} saved replies`,
  )
}

async function checkContent(tx: Tx, tenantId: string, { text, mediaIds }: SavedReplyRow): Promise<void> {
  if (!hasVisibleCharacter(text) && mediaIds.length === 0)
    invalid(violation('text', 'required', 'must not be blank: there is no file either'))
  await checkPlaceholders(tx, tenantId, text)
}

function share(
  tx: Tx,
  tenantId: string,
  { id, scope, ownerId, teamIds, mediaIds }: SavedReplyRow,
): Promise<void> {
  const userId = scope === 'me' ? ownerId : null
  return shareMedia(tx, tenantId, { id, userId, teamIds: scope === 'team' ? teamIds : null }, mediaIds)
}

function toKeys({ shortcut, text }: SavedReplyRow): { shortcutKey: string; searchText: string } {
  return { shortcutKey: normalizeText(shortcut), searchText: normalizeText(`${shortcut} ${text}`) }
}

async function mapShortcutTaken<T>(shortcut: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) fail(SavedReplyShortcutTaken, `"${shortcut}" is taken; choose another one`)
    throw error
  }
}
