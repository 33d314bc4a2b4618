/** The customer of the conversation, the colleagues who look at it, and its actions. */

import { Link } from '@tanstack/react-router'
import { keysOf } from '../../actions/shortcuts.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { useParticipants } from '../../app/presence.ts'
import { t } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { CheckCircleIcon, ChevronLeftIcon, InfoIcon, ReopenIcon } from '../../ui/controls/icons.tsx'
import { Avatar, AvatarGroup } from '../../ui/pictures/avatar.tsx'
import { closeConversation, reopenConversation } from '../actions/conversation-actions.ts'
import { ConversationMenu } from '../actions/conversation-menu.tsx'
import { channelNames } from '../channels.ts'
import { getOwnerName } from '../list/owner-name.ts'
import type { Conversation } from '../state/views.ts'
import { getUserName } from './sender.ts'
import styles from './thread.module.css'

export interface ThreadPanels {
  hasDetails: boolean
  onToggleDetails: () => void
  onPlay: () => void
}

interface HeaderProps extends ThreadPanels {
  conversation: Conversation
}

export function ThreadHeader({ conversation, hasDetails, onToggleDetails, onPlay }: HeaderProps) {
  const { id, name, channel, externalId, activeOwner } = conversation
  return (
    <header className={styles.header}>
      <Link to="/inbox" search={true} className={styles.back} aria-label={t.backToList}>
        <ChevronLeftIcon />
      </Link>
      <span className={styles.picture}>
        <Avatar name={name} url={conversation.contactAvatarUrl} />
      </span>
      <div className={styles.who}>
        <h1 className={styles.name}>{name}</h1>
        <p className={styles.about}>
          {getOwnerName(getSignedIn(), activeOwner)} · {channelNames[channel]}
          {channel !== 'webchat' && ` · ${externalId}`}
        </p>
      </div>
      <Viewers conversationId={id} />
      {hasScope('conversation:close') && <StatusButton conversation={conversation} />}
      <ConversationMenu conversation={conversation} onToggleDetails={onToggleDetails} onPlay={onPlay} />
      <span className={styles.wide}>
        <IconButton
          icon={InfoIcon}
          label={t.details}
          keys={keysOf('details')}
          aria-pressed={hasDetails}
          onClick={onToggleDetails}
        />
      </span>
    </header>
  )
}

function StatusButton({ conversation }: { conversation: Conversation }) {
  const isOpen = conversation.status === 'open'
  return (
    <Button
      icon={isOpen ? CheckCircleIcon : ReopenIcon}
      onClick={() => void (isOpen ? closeConversation : reopenConversation)(conversation)}
    >
      <span className={styles.statusLabel}>{isOpen ? t.closeConversation : t.reopen}</span>
    </Button>
  )
}

/** The colleagues who have this conversation on the screen. */
function Viewers({ conversationId }: { conversationId: string }) {
  const names = useParticipants(conversationId).map(({ userId }) => getUserName(userId))
  return <AvatarGroup names={names} label={t.viewing(names)} />
}
