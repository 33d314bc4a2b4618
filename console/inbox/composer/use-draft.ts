/** The stored draft of a conversation, also when another tab or browser changes it. Colleagues see that the user types. */

import { reportTyping } from '../../app/presence.ts'
import { writeDraft } from '../state/drafts/draft-sync.ts'
import { type DraftKind, useDraftText } from '../state/drafts/drafts.ts'
import { getThread } from '../state/thread-entries.ts'

export function useDraft(conversationId: string, kind: DraftKind): [string, (text: string) => void] {
  const text = useDraftText(conversationId, kind)
  const change = (next: string) => {
    writeDraft({ conversationId, kind }, next, getThread(conversationId).entries.at(-1)?.at)
    reportTyping(conversationId, kind, next !== '')
  }
  return [text, change]
}
