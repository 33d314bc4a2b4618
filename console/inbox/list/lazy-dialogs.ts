/** The dialogs of the list, loaded after the first screen. */
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { NewConversationProps } from './new-conversation.tsx'
import type { SaveViewProps } from './view-dialogs.tsx'

export const NewConversation = lazyPart<NewConversationProps>(
  async () => (await import('./new-conversation.tsx')).NewConversation,
)
export const SaveView = lazyPart<SaveViewProps>(async () => (await import('../later.ts')).SaveView)
export const ManageViews = lazyPart<{ onClose: () => void }>(
  async () => (await import('../later.ts')).ManageViews,
)
