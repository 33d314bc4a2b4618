/** The dialogs of the list, loaded after the first screen. */
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { ManageViewsProps, SaveViewProps } from '../../views/view-dialogs.tsx'
import type { NewConversationProps } from './new-conversation.tsx'

export const NewConversation = lazyPart<NewConversationProps>(
  async () => (await import('./new-conversation.tsx')).NewConversation,
)
export const SaveView = lazyPart<SaveViewProps>(async () => (await import('../later.ts')).SaveView)
export const ManageViews = lazyPart<ManageViewsProps>(async () => (await import('../later.ts')).ManageViews)
