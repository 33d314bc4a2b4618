/** The messages of one conversation with its composer. Opening it marks the shown messages as read. */
import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { useRetryAction } from '../actions/use-retry-action.ts'
import { Composer } from '../composer/composer.tsx'
import { loadConversation, setRead, useConversation } from '../state/conversations.ts'
import {
  type Entry,
  getThread,
  loadAround,
  loadThread,
  type Message,
  useThread,
} from '../state/thread-entries.ts'
import { MessageLog } from './message-log.tsx'
import styles from './thread.module.css'
import { ThreadHeader, type ThreadPanels } from './thread-header.tsx'
import { useUnreadLine } from './use-unread-line.ts'

interface ThreadProps extends ThreadPanels {
  conversationId: string
}

export function Thread({ conversationId, ...panels }: ThreadProps) {
  const conversation = useConversation(conversationId)
  const thread = useThread(conversationId)
  const [error, setError] = useState<ApiError>()
  const [quoted, setQuoted] = useState<Message>()
  const { target, jump, endJump } = useTarget(conversationId)
  const load = () => {
    setError(undefined)
    loadConversation(conversationId).catch(cause => setError(ApiError.from(cause)))
    // The address may name an entry, which is loaded with its neighbours.
    if (!location.hash) void loadThread(conversationId, true)
  }
  useEffect(load, [conversationId])
  // The conversation was hidden from the user: the service says so.
  const isGone = !conversation && thread.isLoaded
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function has no identity of its own
  useEffect(() => {
    if (isGone) load()
  }, [isGone])
  const firstUnreadId = useUnreadLine(conversation, thread.entries)
  useReadCursor(conversationId, thread.hasNewer ? [] : thread.entries)
  useRetryAction(thread.entries)
  const problem = conversation ? thread.error : error
  if (!conversation) return problem ? <Failure error={problem} onRetry={load} /> : <Loading />
  return (
    <>
      <ThreadHeader conversation={conversation} {...panels} />
      {thread.isLoaded ? (
        <MessageLog
          key={thread.generation}
          conversation={conversation}
          thread={thread}
          firstUnreadId={firstUnreadId}
          target={target}
          onShown={endJump}
          onReply={setQuoted}
          onJump={jump}
        />
      ) : (
        <div className={styles.log}>
          {problem ? <Failure error={problem} onRetry={load} /> : <Loading rows={4} />}
        </div>
      )}
      <Composer conversation={conversation} quoted={quoted} onQuote={setQuoted} />
    </>
  )
}

/** The entry to scroll to: the one that the address names, or a quoted one that the user has chosen. */
function useTarget(conversationId: string) {
  const hash = useLocation({ select: location => location.hash })
  const [target, setTarget] = useState<string>()
  const jump = useCallback(
    async (id: string) => {
      const isLoaded = getThread(conversationId).entries.some(entry => entry.id === id)
      setTarget(id)
      if (isLoaded || (await loadAround(conversationId, id))) return
      setTarget(undefined)
      showToast({ text: t.messageNotFound })
    },
    [conversationId],
  )
  useEffect(() => {
    if (hash) void jump(hash)
  }, [hash, jump])
  return { target, jump, endJump: () => setTarget(undefined) }
}

/** Marks messages as read while the tab is visible. */
function useReadCursor(conversationId: string, entries: readonly Entry[]): void {
  const lastId = entries.findLast(
    entry => entry.type === 'message' && entry.message.senderType === 'customer',
  )?.id
  useEffect(() => {
    if (!lastId) return
    const mark = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', mark)
      setRead(conversationId, lastId)
      const params = { path: { id: conversationId } }
      call(api.POST('/conversations/{id}/read', { params, body: { lastMessageId: lastId } })).catch(() => {})
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [conversationId, lastId])
}
