/** One row of the list. It renders only when its own conversation changes. */
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode, useEffect } from 'react'
import { getSignedIn } from '../../api/session.ts'
import { useParticipants, watchRow } from '../../app/presence.ts'
import { createStore, useStore } from '../../app/store.ts'
import { formatDuration, formatWhen } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Count, Status } from '../../ui/controls/badge.tsx'
import {
  ChatbotIcon,
  ClockIcon,
  FlagIcon,
  MoreIcon,
  PencilIcon,
  ShowIcon,
  TeamIcon,
} from '../../ui/controls/icons.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { useIsSelected } from '../bulk/selection.ts'
import { channelIcons, channelNames } from '../channels.ts'
import styles from '../inbox.module.css'
import { useConversation } from '../state/conversations.ts'
import { useHasDraft } from '../state/drafts/drafts.ts'
import { labels } from '../state/labels.ts'
import type { Conversation } from '../state/views.ts'
import list from './list.module.css'
import { getLastAuthor, getOwnerName } from './owner-name.ts'

const windowWarningMs = 2 * 3_600_000

interface ConversationRowProps {
  id: string
  isOpen: boolean
  onSelect: (id: string, isRange: boolean) => void
  /** Opens the menu of the row at a point of the window. */
  onMenu: (id: string, x: number, y: number) => void
}

export const ConversationRow = memo(function ConversationRow({
  id,
  isOpen,
  onSelect,
  onMenu,
}: ConversationRowProps) {
  const conversation = useConversation(id)
  const isSelected = useIsSelected(id)
  useEffect(() => watchRow(id), [id])
  if (!conversation) return <div className={styles.row} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row's link has the focus when the menu key is pressed
    <div
      className={list.item}
      data-selected={isSelected}
      onContextMenu={event => {
        event.preventDefault()
        onMenu(id, event.clientX, event.clientY)
      }}
    >
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
      <button
        type="button"
        className={list.rowMenu}
        aria-label={t.actionsOf(conversation.name)}
        aria-haspopup="menu"
        tabIndex={-1}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          onMenu(id, left, bottom)
        }}
      >
        <MoreIcon />
      </button>
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
      <Avatar
        name={conversation.name}
        mark={channelIcons[conversation.channel]}
        url={conversation.contactAvatarUrl}
      />
      <div className={styles.lines}>
        <div className={styles.line}>
          <span className={styles.name}>{conversation.name}</span>
          {/* The header of the open conversation shows them. */}
          {!isOpen && <Colleagues conversationId={id} />}
          <span className={styles.when}>{formatWhen(conversation.lastMessageAt)}</span>
        </div>
        <div className={styles.line}>
          <span className={styles.preview}>
            <Preview conversation={conversation} isOpen={isOpen} />
          </span>
          <SmallMarks conversation={conversation} />
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
  const { id, lastMessagePreview, lastMessageFailed } = conversation
  const hasDraft = useHasDraft(id)
  if (!isOpen && hasDraft) return <span className={styles.draft}>{t.draft}</span>
  const author = getLastAuthor(getSignedIn(), conversation)
  const text = `${author ? `${author}: ` : ''}${lastMessagePreview ?? ''}`
  if (!lastMessageFailed) return text
  return (
    <>
      <span className={styles.draft}>{t.notDelivered}</span> · {text}
    </>
  )
}

/** The colleagues who have the conversation open: an icon, and their names on hover and for screen readers. */
function Colleagues({ conversationId }: { conversationId: string }) {
  const participants = useParticipants(conversationId)
  if (participants.length === 0) return null
  const { users } = getSignedIn()
  const writers = participants.filter(({ typing }) => typing !== null)
  const shown = writers.length > 0 ? writers : participants
  const names = shown.map(({ userId }) => users.get(userId)?.name ?? t.agent)
  const label = (writers.length > 0 ? t.writing : t.viewing)(names)
  return <SmallMark label={label}>{writers.length > 0 ? <PencilIcon /> : <ShowIcon />}</SmallMark>
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

/** Owner and priority as icons with a name, for rows that have no space for the third line. */
function SmallMarks({ conversation: { activeOwner, priority } }: { conversation: Conversation }) {
  return (
    <span className={list.smallMarks}>
      {priority && (
        <SmallMark label={t.prioritySet(t.priorities[priority])} tone={priority}>
          <FlagIcon />
        </SmallMark>
      )}
      {activeOwner && (
        <SmallMark label={`${t.owner}: ${getOwnerName(getSignedIn(), activeOwner)}`}>
          <OwnerMark {...activeOwner} />
        </SmallMark>
      )}
    </span>
  )
}

function OwnerMark({ type, id }: NonNullable<Conversation['activeOwner']>) {
  if (type === 'bot') return <ChatbotIcon />
  if (type === 'team') return <TeamIcon />
  const user = getSignedIn().users.get(id)
  return <Avatar tiny name={user?.name ?? ''} url={user?.avatarUrl} />
}

const SmallMark = ({ label, tone, children }: { label: string; tone?: string; children: ReactNode }) => (
  <span className={list.mark} role="img" aria-label={label} title={label} data-tone={tone}>
    {children}
  </span>
)

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
