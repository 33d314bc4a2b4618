/** The dialogs of the list, loaded after the first screen. */
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import type { NewConversationProps } from './new-conversation.tsx'

export const NewConversation = lazyPart<NewConversationProps>(
  async () => (await import('./new-conversation.tsx')).NewConversation,
)
