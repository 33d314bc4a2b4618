/** The reactions on a message. Each person has one; the user's own can be removed by pressing it. */
import { getSignedIn, hasScope } from '../../../api/session.ts'
import { t } from '../../../i18n/i18n.ts'
import { react } from '../../actions/message-actions.ts'
import type { Message } from '../../state/thread-entries.ts'
import { getUserName } from '../sender.ts'
import styles from '../thread.module.css'

const offered = ['👍', '❤️', '😂', '😮', '😢', '🙏']

export function ReactionChoice({ message, onClose }: { message: Message; onClose: () => void }) {
  return (
    <div
      className={styles.reactions}
      role="group"
      aria-label={t.react}
      onKeyDown={event => event.key === 'Escape' && onClose()}
    >
      {offered.map((emoji, position) => (
        <button
          key={emoji}
          type="button"
          className={styles.emoji}
          aria-label={t.reactWith(emoji)}
          autoFocus={position === 0}
          onClick={() => {
            onClose()
            void react(message, emoji)
          }}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}

interface Group {
  emoji: string
  isMine: boolean
  names: string[]
}

function groupReactions({ reactions = [] }: Message): Group[] {
  const { me } = getSignedIn()
  const groups = new Map<string, Group>()
  for (const { emoji, senderType, senderId } of reactions) {
    const group = groups.get(emoji) ?? { emoji, isMine: false, names: [] }
    const isMine = senderType === 'user' && senderId === me.id
    group.isMine ||= isMine
    group.names.push(senderType === 'user' ? getUserName(senderId) : t.customer)
    groups.set(emoji, group)
  }
  return [...groups.values()]
}

export function Reactions({ message }: { message: Message }) {
  const groups = groupReactions(message)
  if (groups.length === 0) return null
  return (
    <div className={styles.reactions}>
      {groups.map(({ emoji, isMine, names }) => (
        <button
          key={emoji}
          type="button"
          className={styles.reaction}
          title={names.join(', ')}
          aria-label={t.reactionOf(emoji, names.join(', '))}
          aria-pressed={isMine}
          disabled={!hasScope('message:create')}
          onClick={() => void react(message, emoji)}
        >
          {emoji}
          {names.length > 1 && ` ${names.length}`}
        </button>
      ))}
    </div>
  )
}
