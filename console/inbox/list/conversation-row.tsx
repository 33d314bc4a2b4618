/** One row of the list. It renders only when its own conversation changes. */
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { getSignedIn } from '../../api/session.ts'
import { createStore, useStore } from '../../app/store.ts'
import { formatDuration, formatWhen } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Count, Status } from '../../ui/badge.tsx'
import { ClockIcon, FlagIcon } from '../../ui/icons.tsx'
import { useIsSelected } from '../bulk/selection.ts'
import { channelIcons, channelNames } from '../channels.ts'
import styles from '../inbox.module.css'
import { useConversation } from '../state/conversations.ts'
import { useHasDraft } from '../state/drafts.ts'
import { labels } from '../state/labels.ts'
import type { Conversation } from '../state/views.ts'
import list from './list.module.css'
import { getLastAuthor, getOwnerName } from './owner-name.ts'

const windowWarningMs = 2 * 3_600_000

interface ConversationRowProps {
  id: string
  isOpen: boolean
  onSelect: (id: string, isRange: boolean) => void
}

export const ConversationRow = memo(function ConversationRow({ id, isOpen, onSelect }: ConversationRowProps) {
  const conversation = useConversation(id)
  const isSelected = useIsSelected(id)
  if (!conversation) return <div className={styles.row} />
  return (
    <div className={list.item} data-selected={isSelected}>
      <label className={list.check}>
        <input
          type="checkbox"
          aria-label={t.selectConversation(conversation.name)}
          checked={isSelected}
          tabIndex={isSelected ? 0 : -1}
          onChange={event =>
            onSelect(id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
          }
        />
      </label>
      <RowLink conversation={conversation} isOpen={isOpen} />
    </div>
  )
})

function RowLink({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const { id } = conversation
  const unread = conversation.unreadCount ?? 0
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId: id }}
      search={true}
      preload={false}
      draggable={false}
      className={styles.row}
      aria-current={isOpen ? 'true' : undefined}
      data-unread={unread > 0}
      data-conversation={id}
    >
      <Avatar name={conversation.name} mark={channelIcons[conversation.channel]} />
      <div className={styles.lines}>
        <div className={styles.line}>
          <span className={styles.name}>{conversation.name}</span>
          <span className={styles.when}>{formatWhen(conversation.lastMessageAt)}</span>
        </div>
        <div className={styles.line}>
          <span className={styles.preview}>
            <Preview conversation={conversation} isOpen={isOpen} />
          </span>
          {unread > 0 && <Count value={unread} label={t.unreadMessages(unread)} strong max={99} />}
        </div>
        <div className={styles.meta}>
          <Meta conversation={conversation} />
          <Marks conversation={conversation} />
        </div>
      </div>
    </Link>
  )
}

function Preview({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const { id, lastMessagePreview } = conversation
  const hasDraft = useHasDraft(id)
  if (!isOpen && hasDraft) return <span className={styles.draft}>{t.draft}</span>
  const author = getLastAuthor(getSignedIn(), conversation)
  return `${author ? `${author}: ` : ''}${lastMessagePreview ?? ''}`
}

const minuteMs = 60_000
const minute = createStore(0)
setInterval(() => minute.update(count => count + 1), minuteMs)

function Meta({ conversation }: { conversation: Conversation }) {
  const { channel, activeOwner, waitingSince, windowExpiresAt } = conversation
  // How long the customer waits changes without an event.
  useStore(minute)
  const leftMs = windowExpiresAt ? Date.parse(windowExpiresAt) - Date.now() : Number.POSITIVE_INFINITY
  return (
    <span className={styles.about}>
      {getOwnerName(getSignedIn(), activeOwner)} · {channelNames[channel]}
      {waitingSince && ` · ${t.waiting(formatDuration(Date.now() - Date.parse(waitingSince)))}`}
      {leftMs > 0 && leftMs < windowWarningMs && (
        <span className={styles.warning}> · {t.windowLeft(formatDuration(leftMs))}</span>
      )}
    </span>
  )
}

const maxLabels = 2

/** Priority, snooze and labels: words, because colour is never the only signal. */
function Marks({ conversation: { priority, snoozed, labelIds } }: { conversation: Conversation }) {
  const known = useStore(labels)
  const names = labelIds.flatMap(id => known.get(id)?.name ?? [])
  if (!priority && !snoozed && names.length === 0) return null
  const rest = names.slice(maxLabels)
  return (
    <span className={styles.marks}>
      {priority && (
        <Status icon={FlagIcon} {...(priority === 'urgent' ? { tone: 'danger' } : {})}>
          {t.priorities[priority]}
        </Status>
      )}
      {snoozed && <Status icon={ClockIcon}>{t.snoozedMark}</Status>}
      {names.slice(0, maxLabels).map(name => (
        <Status key={name}>{name}</Status>
      ))}
      {rest.length > 0 && (
        <span className={styles.more} title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}
