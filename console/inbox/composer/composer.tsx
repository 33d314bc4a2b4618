/**
 * Writes replies and internal notes. The draft of each is stored on every keystroke; a sent message is shown before the
 * service has it. Content that the channel does not allow now is disabled with the reason.
 */
import { useEffect, useRef, useState } from 'react'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { usePublishedHeight } from '../../app/use-published-height.ts'
import { t } from '../../i18n/i18n.ts'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { renewDraft } from '../state/drafts/draft-sync.ts'
import { readDraft } from '../state/drafts/drafts.ts'
import { savedReplies } from '../state/saved-replies.ts'
import { type Entry, type Message, useThread } from '../state/thread-entries.ts'
import type { Conversation } from '../state/views.ts'
import { useWindow } from '../state/window.ts'
import { AttachmentChip, QuoteChip } from './chips.tsx'
import type { CollisionProps } from './collision.tsx'
import styles from './composer.module.css'
import { ComposerBar } from './composer-bar.tsx'
import { BotNotice, TypingNotice, VisitorTypingNotice } from './notices.tsx'
import { ScheduledList } from './scheduled/scheduled-list.tsx'
import { emojiSource, knownEmoji } from './suggestions/emoji-source.ts'
import { mentionSource } from './suggestions/mentions.ts'
import { createPlaceholderSource, knownValues } from './suggestions/placeholder-source.ts'
import { createSavedReplySource } from './suggestions/saved-reply-source.ts'
import { TextBox } from './text-box.tsx'
import { measureText } from './text-limit.ts'
import { type Attachments, useAttachments } from './use-attachments.ts'
import { useDraft } from './use-draft.ts'
import { KindSwitch, useKind } from './use-kind.tsx'
import { type SendOptions, useSend } from './use-send.ts'
import { WindowNotice } from './window-notice.tsx'

const CollisionDialog = lazyPart<CollisionProps>(async () => (await import('../later.ts')).CollisionDialog)

interface ComposerProps {
  conversation: Conversation
  quoted: Message | undefined
  onQuote: (message: Message | undefined) => void
}

export function Composer(props: ComposerProps) {
  const whole = usePublishedHeight<HTMLDivElement>('--bottom-field')
  if (!hasScope('message:create') && !hasScope('note:create')) return null
  return (
    <div ref={whole} className={styles.composer}>
      <Writer {...props} />
    </div>
  )
}

function Writer({ conversation, quoted, onQuote }: ComposerProps) {
  const { id } = conversation
  const field = useRef<HTMLTextAreaElement>(null)
  const [kind, setKind] = useKind(field)
  const [text, setText] = useDraft(id, kind)
  const attachments = useAttachments()
  const window = useWindow(conversation)
  const collision = useCollision(id)
  const [chosenInboxId, setInbox] = useState<string>()
  const inboxId = chosenInboxId ?? conversation.inboxId
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a message was chosen
  useEffect(() => {
    if (quoted) setKind('reply')
  }, [quoted])
  const isNote = kind === 'note'
  const canSend = (type: 'text' | 'template') => window === undefined || window.allowedContent.includes(type)
  const canText = isNote || canSend('text')
  const files = isNote ? [] : attachments.files
  const size = measureText(text, { channel: conversation.channel, isNote, hasFiles: files.length > 0 })
  const { send, sendContent } = useSend({
    conversation,
    inboxId,
    kind,
    setKind,
    setText,
    attachments,
    quoted,
    onQuote,
  })
  const submit = (options: SendOptions = {}) => {
    const body = text.trim()
    const isUploading = files.some(({ mediaId }) => mediaId === undefined)
    if (size.isTooLong) return void showToast({ text: size.hint!, tone: 'danger' })
    if (!canText || isUploading || (body === '' && files.length === 0)) return
    if (isNote) send(body, options)
    else collision.check(() => send(body, options))
  }
  return (
    <>
      {conversation.channel === 'webchat' && <VisitorTypingNotice conversationId={id} />}
      <TypingNotice conversationId={id} />
      <ScheduledList conversationId={id} />
      {!isNote && <BotNotice conversation={conversation} />}
      {window && !isNote && <WindowNotice window={window} />}
      <div className={styles.box} data-kind={kind}>
        <KindSwitch kind={kind} onChange={setKind} />
        {!isNote && <Attached {...attachments} quoted={quoted} onQuote={onQuote} />}
        <TextBox
          key={kind}
          field={field}
          label={isNote ? t.note : t.reply}
          text={text}
          placeholder={getPlaceholder(isNote, canText, canSend('template'))}
          isDisabled={!canText}
          isInvalid={size.isTooLong}
          sources={useSources(conversation, isNote, attachments.attachKnown)}
          onText={setText}
          onSubmit={closes => submit({ closes: closes && !isNote })}
          onFile={attachments.attach}
        />
        <ComposerBar
          conversation={conversation}
          inboxId={inboxId}
          onInbox={setInbox}
          isNote={isNote}
          canText={canText}
          canTemplate={canSend('template')}
          isEmpty={text.trim() === ''}
          size={size}
          onSubmit={submit}
          onSendContent={sendContent}
          onFile={attachments.attach}
          onSavedReplies={() => openSavedReplies(field.current)}
        />
      </div>
      {collision.dialog}
    </>
  )
}

type AttachedProps = Pick<Attachments, 'files' | 'remove'> & Pick<ComposerProps, 'quoted' | 'onQuote'>

/** The parts that are sent with the reply. */
function Attached({ files, remove, quoted, onQuote }: AttachedProps) {
  return (
    <>
      {quoted && <QuoteChip message={quoted} onRemove={() => onQuote(undefined)} />}
      {files.map(file => (
        <AttachmentChip key={file.key} attachment={file} onRemove={() => remove(file.key)} />
      ))}
    </>
  )
}

function getPlaceholder(isNote: boolean, canText: boolean, canTemplate: boolean): string {
  if (isNote) return t.writeNote
  if (canText) return t.writeReply
  return canTemplate ? t.freeTextClosed : t.nothingAllowed
}

/** The suggestions while typing. The stores are read so that a list appears when it is loaded. */
function useSources({ id, contactId }: Conversation, isNote: boolean, onFile: (mediaId: string) => void) {
  useStore(savedReplies)
  useStore(knownEmoji)
  useStore(knownValues)
  if (isNote) return [mentionSource, emojiSource]
  const attach = (mediaIds: readonly string[]) => mediaIds.forEach(onFile)
  return [createSavedReplySource(id, attach), createPlaceholderSource(contactId), emojiSource]
}

/** Types the character that opens the list. */
function openSavedReplies(field: HTMLTextAreaElement | null): void {
  if (!field) return
  const { value } = field
  const typed = value === '' || /\s$/.test(value) ? '/' : ' /'
  field.focus()
  field.setRangeText(typed, value.length, value.length, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Sends, or asks first if a colleague has replied since the user began to write. */
function useCollision(conversationId: string) {
  const { entries } = useThread(conversationId)
  const [pending, setPending] = useState<{ replies: readonly Message[]; send: () => void }>()
  const close = () => {
    // Queried once: only later replies are new.
    renewDraft({ conversationId, kind: 'reply' }, entries.at(-1)?.at)
    setPending(undefined)
  }
  const check = (send: () => void) => {
    const replies = findReplies(entries, readDraft(conversationId, 'reply').since)
    if (replies.length === 0) return send()
    setPending({ replies, send })
  }
  const confirm = () => {
    close()
    pending?.send()
  }
  const dialog = pending && <CollisionDialog replies={pending.replies} onSend={confirm} onClose={close} />
  return { check, dialog }
}

/** Returns the replies of colleagues after the time. */
function findReplies(entries: readonly Entry[], since: string | undefined): Message[] {
  if (since === undefined) return []
  const { me } = getSignedIn()
  return entries.flatMap(entry => {
    if (entry.type !== 'message' || entry.at <= since) return []
    const { senderType, senderId } = entry.message
    return senderType === 'user' && senderId !== me.id ? [entry.message] : []
  })
}
