/** One message of the thread with its delivery. A failed one has its reason and can be sent again. */
import { memo, useState } from 'react'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.ts'
import { ClockIcon, DeliveredIcon, ErrorIcon, type Icon, SentIcon } from '../../../ui/controls/icons.tsx'
import { canRetry, retryMessage } from '../../actions/message-actions.ts'
import type { Message } from '../../state/thread-entries.ts'
import { getSenderName } from '../sender.ts'
import styles from '../thread.module.css'
import { type Content, ContentView } from './content.tsx'
import { isEmojiOnly } from './format-text.tsx'
import { MessageTools } from './message-tools.tsx'
import { ReactionChoice, Reactions } from './reactions.tsx'

interface MessageProps {
  message: Message
  /** Whether the one before has another sender or day. */
  isFirst: boolean
  /** Whether the one after has another sender: only the last of a group shows its time. */
  isLast: boolean
  /** Text of the quoted message. */
  quote: string | undefined
  /** Whether the channel has reactions. */
  canReact: boolean
  onReply: (message: Message) => void
  onTimeline: (message: Message) => void
  /** Shows the message with this id. */
  onJump: (messageId: string) => void
}

export const MessageView = memo(function MessageView(props: MessageProps) {
  const { message, isFirst, isLast, quote, canReact, onReply, onTimeline, onJump } = props
  const [isReacting, setReacting] = useState(false)
  const isOwn = message.senderType !== 'customer'
  const isFailed = message.deliveryStatus === 'failed'
  const quotedId = getQuotedId(message)
  return (
    <article className={styles.message} data-side={isOwn ? 'own' : 'customer'} data-first={isFirst}>
      {isFirst && isOwn && <p className={styles.author}>{getSenderName(message)}</p>}
      <div className={styles.line}>
        <Bubble
          content={message.content}
          quote={quote}
          onQuote={quotedId === undefined ? undefined : () => onJump(quotedId)}
          isFailed={isFailed}
        />
        <MessageTools
          message={message}
          canReact={canReact}
          onReply={onReply}
          onTimeline={onTimeline}
          onReact={() => setReacting(!isReacting)}
        />
      </div>
      {isReacting && <ReactionChoice message={message} onClose={() => setReacting(false)} />}
      <Reactions message={message} />
      {(isLast || isFailed) && <Delivery message={message} isOwn={isOwn} />}
    </article>
  )
})

export function getQuotedId({ context }: Message): string | undefined {
  const quoted = context?.find(item => item.type === 'message')
  return quoted?.type === 'message' ? quoted.messageId : undefined
}

interface BubbleProps {
  content: Content
  quote?: string | undefined
  onQuote?: (() => void) | undefined
  isFailed?: boolean
}

export function Bubble({ content, quote, onQuote, isFailed }: BubbleProps) {
  const isEmoji = content.type === 'text' && isEmojiOnly(content.text.body)
  return (
    <div
      className={styles.bubble}
      dir="auto"
      data-state={isFailed ? 'failed' : undefined}
      data-emoji={isEmoji}
    >
      {quote && (
        <button type="button" className={styles.quote} aria-label={t.showQuoted(quote)} onClick={onQuote}>
          {quote}
        </button>
      )}
      <ContentView content={content} />
    </div>
  )
}

const deliveryIcons: Record<Message['deliveryStatus'], Icon | undefined> = {
  pending: ClockIcon,
  sent: SentIcon,
  delivered: DeliveredIcon,
  read: DeliveredIcon,
  failed: ErrorIcon,
  received: undefined,
}

function Delivery({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { deliveryStatus, deliveryError, createdAt } = message
  const Glyph = isOwn ? deliveryIcons[deliveryStatus] : undefined
  const tone = deliveryStatus === 'failed' ? 'danger' : deliveryStatus
  return (
    <p className={styles.status} data-tone={tone}>
      <time dateTime={createdAt}>{formatTime(createdAt)}</time>
      {Glyph && <Glyph />}
      {isOwn && (
        <span className={styles.outcome}>
          <span>{t.delivery[deliveryStatus]}</span>
          {deliveryError && <> · {t.deliveryReasons[deliveryError.code] ?? deliveryError.message}</>}
        </span>
      )}
      {canRetry(message) && (
        <button type="button" onClick={() => void retryMessage(message)}>
          {t.retry}
        </button>
      )}
    </p>
  )
}
