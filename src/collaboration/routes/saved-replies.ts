import Type from 'typebox'
import { normalizeText } from '../../contacts/search/search-text.ts'
import { ConversationNotFound } from '../../conversations/errors.ts'
import { everyone } from '../../identity/rights/roles.ts'
import { nextPageToken, tokenPage, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import {
  SavedReplyLimitReached,
  SavedReplyNotFound,
  SavedReplyShortcutTaken,
  SharingForbidden,
} from '../errors.ts'
import {
  createSavedReply,
  deleteSavedReply,
  getSavedReply,
  renderSavedReply,
  updateSavedReply,
} from '../saved-replies/saved-replies.ts'
import { NewSavedReply, RenderedReply, SavedReply, SavedReplyPatch } from '../saved-replies/schemas.ts'
import { listSavedReplies, savedReplyToApi } from '../store/saved-replies.ts'

const route = section('Saved replies', { extension: true })
const listAccess = { scopes: ['saved_reply:list'], roles: everyone } as const

export const savedReplyRoutes = [
  route('GET /saved-replies', {
    operationId: 'listSavedReplies',
    summary: 'List your own and the shared saved replies',
    description: 'By shortcut. Owners and admins also see those of teams that they are not members of.',
    access: listAccess,
    query: object({
      search: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'part of the shortcut or text' }),
      ),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ savedReplies: Type.Array(SavedReply), nextPageToken }) },
    handle: async ({ db, caller, query, page }) => {
      const search = query.search === undefined ? undefined : normalizeText(query.search)
      const found = await listSavedReplies(db, caller, { search, ...page })
      const { rows, next } = page.toPage(found, row => [row.shortcutKey, row.id])
      const savedReplies = rows.map(({ shortcutKey: _, ...row }) => savedReplyToApi(row))
      return { savedReplies, ...withNextPage(next) }
    },
  }),
  route('POST /saved-replies', {
    operationId: 'createSavedReply',
    summary: 'Create a saved reply',
    description:
      'Private unless `scope` says otherwise. Owners and admins share with the workspace, agents with their own teams.',
    access: { scopes: ['saved_reply:create'], roles: everyone },
    body: NewSavedReply,
    example: {
      shortcut: 'hours',
      text: 'Hi {{contact.firstName | default: "there"}}, we are open from 9 to 17. {{user.firstName}}',
    },
    success: { status: 201, body: SavedReply },
    errors: [SavedReplyShortcutTaken, SavedReplyLimitReached, SharingForbidden],
    handle: ({ write, caller, body }) => write(tx => createSavedReply(tx, caller, body)),
  }),
  route('PATCH /saved-replies/{id}', {
    operationId: 'updateSavedReply',
    summary: 'Change a saved reply',
    description:
      'Properties that are left out stay as they are. The one of a workspace is changed by owners and admins, the one of teams also by members of all of them.',
    access: { scopes: ['saved_reply:update'], roles: everyone },
    body: SavedReplyPatch,
    example: { text: 'We are open from 9 to 18.' },
    success: { status: 200, body: SavedReply },
    errors: [SavedReplyNotFound, SavedReplyShortcutTaken, SavedReplyLimitReached, SharingForbidden],
    read: {
      access: listAccess,
      handle: ({ db, caller, params }) => getSavedReply(db, caller, params.id),
    },
    handle: ({ write, caller, params, body }) => write(tx => updateSavedReply(tx, caller, params.id, body)),
  }),
  route('DELETE /saved-replies/{id}', {
    operationId: 'deleteSavedReply',
    summary: 'Delete a saved reply',
    description: 'Files that nothing else uses are deleted too. Messages that were sent stay.',
    access: { scopes: ['saved_reply:delete'], roles: everyone },
    success: { status: 204 },
    errors: [SavedReplyNotFound, SharingForbidden],
    handle: ({ write, caller, params }) => write(tx => deleteSavedReply(tx, caller, params.id)),
  }),
  route('POST /saved-replies/{id}/render', {
    operationId: 'renderSavedReply',
    summary: 'Fill the placeholders of a saved reply for a conversation',
    description: 'Nothing is sent. `missing` lists the values that the contact or user does not have.',
    access: { scopes: ['saved_reply:list', 'conversation:read', 'contact:read'], roles: everyone },
    body: object({ conversationId: AnyId }),
    example: { conversationId: 'cnv_01k4xq7d9hfk3b0m6a7yz2c5rc' },
    success: { status: 200, body: RenderedReply },
    errors: [SavedReplyNotFound, ConversationNotFound],
    handle: ({ db, caller, params, body }) => renderSavedReply(db, caller, params.id, body.conversationId),
  }),
]
