/** Contributes conversations, messages and notes to the search over all kinds. */
import { namedPart, type SearchPart } from '../../platform/contributions/search.ts'
import { listConversations } from '../store/conversations/conversation-pages.ts'
import { listLabels } from '../store/labels.ts'
import { searchMessages } from './search-messages.ts'
import { parseTerms } from './words.ts'

const conversationPart: SearchPart = {
  kind: 'conversation',
  scope: 'conversation:list',
  find: async ({ db }, viewer, { text, limit }) => {
    const sort = { field: 'lastMessageAt', direction: 'desc' } as const
    const rows = await listConversations(db, { viewer, filter: { search: text } }, sort, { limit })
    return rows
      .slice(0, limit)
      .map(({ id, name, lastMessagePreview }) => ({ id, title: name, detail: lastMessagePreview }))
  },
}

const messagePart: SearchPart = {
  kind: 'message',
  scope: 'conversation:read',
  find: async ({ db }, caller, { text, limit }) => {
    if (parseTerms(text).length === 0) return []
    const page = {
      limit,
      after: undefined,
      toPage: <T>(rows: T[]) => ({ rows: rows.slice(0, limit), next: undefined }),
    }
    const { results } = await searchMessages(db, caller, { q: text }, page)
    return results.map(({ id, conversationId, conversationName, text: detail }) => ({
      id,
      title: conversationName,
      detail,
      conversationId,
    }))
  },
}

const labelPart = namedPart({
  kind: 'label',
  scope: 'label:list',
  list: ({ db }, { tenantId }) => listLabels(db, tenantId),
})

export const conversationSearch = [conversationPart, messagePart, labelPart]
