/** The scrolling log: older messages load at the top without moving the text on the screen. */
import type { ComponentProps } from 'react'
import { useMemo, useState } from 'react'
import { VList } from 'virtua'
import { connection } from '../../api/realtime.ts'
import { useStore } from '../../app/store.ts'
import { formatDay, isSameDay } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { ArrowDownIcon } from '../../ui/controls/icons.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { hasReactions } from '../channels.ts'
import { type OutboxEntry, useOutbox } from '../state/outbox.ts'
import type { Entry, Message, Thread } from '../state/thread-entries.ts'
import type { Conversation } from '../state/views.ts'
import { Announcer } from './announcer.tsx'
import { EventLine } from './event-line.tsx'
import { getQuotedId, MessageView } from './messages/message.tsx'
import type { MessageTimeline as Timeline } from './messages/message-timeline.tsx'
import { OutboxMessage } from './messages/outbox-message.tsx'
import { toPlainText } from './messages/to-plain-text.ts'
import { NoteView } from './notes/note.tsx'
import styles from './thread.module.css'
import { useScroll } from './use-scroll.ts'

const MessageTimeline = lazyPart<ComponentProps<typeof Timeline>>(
  async () => (await import('../later.ts')).MessageTimeline,
)

interface MessageLogProps {
  conversation: Conversation
  thread: Thread
  /** The first message that was unread when the conversation was opened. */
  firstUnreadId: string | undefined
  /** The entry to show; afterwards `onShown` is called. */
  target: string | undefined
  onShown: () => void
  onReply: (message: Message) => void
  onJump: (messageId: string) => void
}

export function MessageLog({
  conversation,
  thread,
  firstUnreadId,
  target,
  onShown,
  onReply,
  onJump,
}: MessageLogProps) {
  const { entries } = thread
  const [timelineOf, setTimelineOf] = useState<Message>()
  const messages = useMemo(() => listMessages(entries), [entries])
  const pending = usePending(conversation.id, messages)
  const isOffline = useStore(connection) === 'lost'
  const scroll = useScroll(conversation.id, thread, pending.length, { target, onShown })
  const texts = useMemo(() => new Map(messages.map(message => [message.id, toQuote(message)])), [messages])
  return (
    <div className={styles.log}>
      <VList
        ref={scroll.handle}
        className={styles.scroller}
        shift={scroll.isPrepending}
        onScroll={scroll.onScroll}
        role="log"
        aria-label={t.messages}
        aria-live="off"
        tabIndex={0}
      >
        {entries.map((entry, position) => (
          <div
            key={entry.id}
            className={styles.inner}
            data-entry={entry.id}
            data-highlighted={entry.id === scroll.highlighted}
            tabIndex={-1}
          >
            {entry.id === firstUnreadId && <p className={styles.unread}>{t.newMessages}</p>}
            {isNewDay(entries, position) && <div className={styles.day}>{formatDay(entry.at)}</div>}
            {entry.type === 'message' ? (
              <MessageView
                message={entry.message}
                isFirst={isFirstOfGroup(entries, position)}
                isLast={isLastOfGroup(entries, position)}
                quote={findQuote(entry.message, texts)}
                canReact={hasReactions(conversation.channel)}
                onReply={onReply}
                onTimeline={setTimelineOf}
                onJump={onJump}
              />
            ) : entry.type === 'note' ? (
              <NoteView note={entry.note} />
            ) : (
              <EventLine event={entry.event} />
            )}
          </div>
        ))}
        {pending.map(entry => (
          <div key={entry.clientMessageId} className={styles.inner}>
            <OutboxMessage entry={entry} isOffline={isOffline} />
          </div>
        ))}
        <div key="end" className={styles.inner}>
          <div className={styles.end} />
        </div>
      </VList>
      {(!scroll.isAtEnd || thread.hasNewer) && (
        <IconButton
          className={styles.jump}
          icon={ArrowDownIcon}
          label={t.jumpToNewest}
          onClick={scroll.toEnd}
        />
      )}
      {!thread.hasNewer && <Announcer messages={messages} name={conversation.name} />}
      {timelineOf && <MessageTimeline messageId={timelineOf.id} onClose={() => setTimelineOf(undefined)} />}
    </div>
  )
}

const listMessages = (entries: readonly Entry[]) =>
  entries.flatMap(entry => (entry.type === 'message' ? [entry.message] : []))

/** The messages of the outbox that the thread does not contain yet. */
function usePending(conversationId: string, messages: readonly Message[]): readonly OutboxEntry[] {
  const outbox = useOutbox()
  return useMemo(() => {
    const own = outbox.filter(entry => entry.conversationId === conversationId && !entry.sendAt)
    if (own.length === 0) return own
    const accepted = new Set(messages.map(({ clientMessageId }) => clientMessageId))
    return own.filter(entry => !accepted.has(entry.clientMessageId))
  }, [outbox, messages, conversationId])
}

const isNewDay = (entries: readonly Entry[], position: number) =>
  position === 0 || !isSameDay(entries[position - 1]!.at, entries[position]!.at)

const groupGapMs = 5 * 60_000

function toMessage(entry: Entry | undefined): Message | undefined {
  return entry?.type === 'message' ? entry.message : undefined
}

function isSameGroup(a: Message | undefined, b: Message | undefined): boolean {
  if (!a || !b || a.senderType !== b.senderType || a.senderId !== b.senderId) return false
  if (a.deliveryStatus !== b.deliveryStatus || !isSameDay(a.createdAt, b.createdAt)) return false
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) < groupGapMs
}

const isFirstOfGroup = (entries: readonly Entry[], position: number) => {
  const [a, b] = [toMessage(entries[position - 1]), toMessage(entries[position])!]
  return !a || a.senderId !== b.senderId || !isSameDay(a.createdAt, b.createdAt)
}
const isLastOfGroup = (entries: readonly Entry[], position: number) =>
  !isSameGroup(toMessage(entries[position]), toMessage(entries[position + 1]))

const toQuote = ({ content }: Message) => toPlainText(content).slice(0, 120) || t.message

function findQuote(message: Message, texts: ReadonlyMap<string, string>): string | undefined {
  const quotedId = getQuotedId(message)
  return quotedId && (texts.get(quotedId) ?? t.earlierMessage)
}
