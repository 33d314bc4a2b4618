/** The inbox: list, thread and details. On a phone one of them fills the screen. */
import { useParams, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useState } from 'react'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import { Empty } from '../ui/layout/state-view.tsx'
import type { Details as Panel } from './details/details.tsx'
import styles from './inbox.module.css'
import { ConversationList } from './list/conversation-list.tsx'
import { setOpenConversation } from './state/start-inbox.ts'
import { savedViews, toListKey } from './state/views.ts'
import type { Thread as OpenThread } from './thread/thread.tsx'

const Thread = lazyPart<ComponentProps<typeof OpenThread>>(
  async () => (await import('./thread/thread.tsx')).Thread,
)
const Details = lazyPart<ComponentProps<typeof Panel>>(async () => (await import('./later.ts')).Details)

export function InboxPage() {
  const { view = 'all', ...filter } = useSearch({ from: '/inbox' })
  // The filter of a saved view may change.
  useStore(savedViews)
  const { conversationId } = useParams({ strict: false })
  const [hasDetails, setDetails] = useState(() => innerWidth >= 1280)
  const [hasList, setList] = useState(true)
  useEffect(Thread.preload, [])
  useEffect(() => {
    setOpenConversation(conversationId)
    return () => setOpenConversation(undefined)
  }, [conversationId])
  return (
    <div
      className={styles.inbox}
      data-pane={conversationId ? 'thread' : 'list'}
      data-list={hasList || !conversationId}
    >
      <ConversationList
        view={view}
        listKey={toListKey(view, filter)}
        openId={conversationId}
        onShow={setList}
      />
      <section className={styles.thread} aria-label={t.conversation}>
        {conversationId ? (
          <Thread
            key={conversationId}
            conversationId={conversationId}
            hasDetails={hasDetails}
            onToggleDetails={() => setDetails(!hasDetails)}
            onPlay={() => {
              setDetails(true)
              focusSandbox()
            }}
          />
        ) : (
          <Empty title={t.chooseConversation} />
        )}
      </section>
      {conversationId && (
        <Details conversationId={conversationId} isOpen={hasDetails} onClose={() => setDetails(false)} />
      )}
    </div>
  )
}

/** The panel may be shown only after the next frames. */
function focusSandbox(attempts = 10): void {
  const field = document.querySelector<HTMLInputElement>('[data-sandbox] input')
  if (field) field.focus()
  else if (attempts > 0) requestAnimationFrame(() => focusSandbox(attempts - 1))
}
