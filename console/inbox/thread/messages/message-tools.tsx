/** The tools of a message: shown when the pointer or the focus is on it. */
import { hasScope } from '../../../api/session.ts'
import { t } from '../../../i18n/i18n.ts'
import { IconButton } from '../../../ui/controls/button.tsx'
import { CopyIcon, InfoIcon, LinkIcon, MoreIcon, ReplyIcon, SmileIcon } from '../../../ui/controls/icons.tsx'
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx'
import { copyText } from '../../../ui/overlays/toasts.ts'
import type { Message } from '../../state/thread-entries.ts'
import styles from '../thread.module.css'
import { toPlainText } from './to-plain-text.ts'

interface MessageToolsProps {
  message: Message
  canReact: boolean
  onReply: (message: Message) => void
  onReact: () => void
  onTimeline: (message: Message) => void
}

export function MessageTools(props: MessageToolsProps) {
  const { message, onReply, onReact } = props
  const { canReply, canReact } = getRights(props)
  return (
    <div className={styles.tools}>
      {canReply && (
        <span className={styles.wide}>
          <IconButton icon={ReplyIcon} label={t.reply} onClick={() => onReply(message)} />
        </span>
      )}
      {canReact && (
        <span className={styles.wide}>
          <IconButton icon={SmileIcon} label={t.react} onClick={onReact} />
        </span>
      )}
      <Menu items={listItems(props)} align="end" label={t.messageActions}>
        <IconButton icon={MoreIcon} label={t.messageActions} />
      </Menu>
    </div>
  )
}

function getRights({ message, canReact }: MessageToolsProps) {
  const canReply = hasScope('message:create')
  return { canReply, canReact: canReply && canReact && isReactable(message) }
}

/** The provider must know the message. */
const isReactable = ({ channelMessageId, content }: Message) =>
  Boolean(channelMessageId) && content.type !== 'deleted'

/** Phones show the menu only, so it has everything. */
function listItems(props: MessageToolsProps): MenuItem[] {
  const { message, onReply, onReact, onTimeline } = props
  const { canReply, canReact } = getRights(props)
  const text = toPlainText(message.content)
  const link = toLink(message.conversationId, message.id)
  const copyBody = () => void copyText(text, t.textCopied)
  const copyLink = () => void copyText(link, t.linkCopied)
  const items: (MenuItem | false)[] = [
    canReply && { id: 'reply', label: t.reply, icon: ReplyIcon, onSelect: () => onReply(message) },
    canReact && { id: 'react', label: t.react, icon: SmileIcon, onSelect: onReact },
    text !== '' && { id: 'copy', label: t.copyText, icon: CopyIcon, onSelect: copyBody },
    { id: 'link', label: t.copyLink, icon: LinkIcon, onSelect: copyLink },
    { id: 'timeline', label: t.messageTimeline, icon: InfoIcon, onSelect: () => onTimeline(message) },
  ]
  return items.filter(item => item !== false)
}

/** The fragment names the entry that is shown; see thread.tsx. */
const toLink = (conversationId: string, entryId: string) =>
  new URL(`/inbox/${conversationId}#${entryId}`, location.href).href
