/** Contributes saved replies to the search over all kinds. */
import { normalizeText } from '../contacts/search/search-text.ts'
import { namedPart, type SearchPart } from '../platform/contributions/search.ts'
import { listMacros } from './store/macros.ts'
import { listSavedReplies } from './store/saved-replies.ts'
import { listViews } from './store/views.ts'

const savedReplyPart: SearchPart = {
  kind: 'saved_reply',
  scope: 'saved_reply:list',
  find: async ({ db }, caller, { text, limit }) => {
    const query = { search: normalizeText(text), limit, after: undefined }
    const rows = await listSavedReplies(db, caller, query)
    return rows.slice(0, limit).map(({ id, shortcut, text: detail }) => ({
      id,
      title: shortcut,
      detail: detail.slice(0, 200) || null,
    }))
  },
}

export const collaborationSearch = [
  savedReplyPart,
  namedPart({
    kind: 'view',
    scope: 'view:list',
    list: ({ db }, caller) => listViews(db, caller, 'conversations'),
  }),
  namedPart({ kind: 'macro', scope: 'macro:list', list: ({ db }, caller) => listMacros(db, caller) }),
]
