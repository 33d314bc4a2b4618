/** Saved replies after / in the composer: found by shortcut or text, inserted with the values of the conversation. */
import { api, call } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { t } from '../../../i18n/i18n.ts'
import { describe } from '../../../ui/layout/state-view.tsx'
import { showToast } from '../../../ui/overlays/toasts.ts'
import { findSavedReplies, loadSavedReplies, savedReplies } from '../../state/saved-replies.ts'
import type { SuggestionSource } from './suggestions.ts'

export function createSavedReplySource(
  conversationId: string,
  onFiles: (mediaIds: readonly string[]) => void,
): SuggestionSource {
  return {
    label: () => t.savedReplies,
    pattern: /(?:^|\s)\/([^\s/]{0,50})$/,
    load: () => void loadSavedReplies(),
    list: typed =>
      findSavedReplies(savedReplies.get().items, typed).map(({ id, shortcut, text }) => ({
        id,
        label: `/${shortcut}`,
        hint: text,
        insert: () => render(id, conversationId, onFiles),
      })),
  }
}

async function render(
  id: string,
  conversationId: string,
  onFiles: (mediaIds: readonly string[]) => void,
): Promise<string | undefined> {
  try {
    const params = { path: { id } }
    const found = await call(api.POST('/saved-replies/{id}/render', { params, body: { conversationId } }))
    if (found.missing.length > 0) showToast({ text: t.valuesMissing(found.missing.join(', ')) })
    if (found.mediaIds.length > 0) onFiles(found.mediaIds)
    return found.text
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return undefined
  }
}
