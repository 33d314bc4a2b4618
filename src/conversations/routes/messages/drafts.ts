import Type from 'typebox'
import { everyone } from '../../../identity/rights/roles.ts'
import { section } from '../../../platform/http/route.ts'
import { nullable, object } from '../../../platform/http/schemas.ts'
import { discardDraft, getDraft, saveDraft } from '../../drafts/drafts.ts'
import { DraftChange, DraftKind, maxDraftBytes, StoredDraft } from '../../drafts/schemas.ts'
import { ConversationNotFound, DraftConflict } from '../../errors.ts'
import { listDrafts } from '../../store/drafts.ts'

const route = section('Messaging', { extension: true })
const access = { scopes: ['message:create'], roles: everyone, userOnly: true }
const maxListed = 500

export const draftRoutes = [
  route('GET /users/me/drafts', {
    operationId: 'listDrafts',
    summary: 'List your drafts',
    description: `At most ${maxListed}, the latest first, of conversations that you can see.`,
    access,
    success: { status: 200, body: object({ drafts: Type.Array(StoredDraft) }) },
    handle: async ({ db, caller }) => ({ drafts: await listDrafts(db, caller, maxListed) }),
  }),
  route('GET /conversations/{id}/draft', {
    operationId: 'getDraft',
    summary: 'Get your draft of a reply or note',
    description: 'Others do not see it. `draft` is null if there is none.',
    access,
    query: object({ kind: Type.Optional(DraftKind) }),
    success: { status: 200, body: object({ draft: nullable(StoredDraft) }) },
    errors: [ConversationNotFound],
    handle: ({ db, caller, params, query }) => getDraft(db, caller, params.id, query.kind ?? 'reply'),
  }),
  route('PUT /conversations/{id}/draft', {
    operationId: 'saveDraft',
    summary: 'Save your draft of a reply or note',
    description:
      'Names the `revision` that it replaces: a 409 `draft_conflict` has the current draft if another tab saved, sent or deleted it meanwhile. Sending the reply or note deletes the draft.',
    access,
    body: DraftChange,
    bodyLimit: maxDraftBytes,
    example: { kind: 'reply', content: { text: 'Thank you for' }, revision: 0 },
    success: { status: 200, body: StoredDraft },
    errors: [ConversationNotFound, DraftConflict],
    handle: ({ write, caller, params, body }) => write(tx => saveDraft(tx, caller, params.id, body)),
  }),
  route('DELETE /conversations/{id}/draft', {
    operationId: 'discardDraft',
    summary: 'Delete your draft of a reply or note',
    description: 'Does nothing if there is none.',
    access,
    query: object({
      kind: Type.Optional(DraftKind),
      revision: Type.Optional(
        Type.Integer({ minimum: 1, description: 'the revision that you read; without it, any' }),
      ),
    }),
    success: { status: 204 },
    errors: [ConversationNotFound, DraftConflict],
    handle: ({ write, caller, params, query }) =>
      write(tx => discardDraft(tx, caller, params.id, { kind: 'reply', ...query })),
  }),
]
