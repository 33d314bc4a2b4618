/** Sends what the composer contains: a text, a note, or files with the text as the caption of the first. */
import { preferences } from '../../app/preferences.ts'
import { useStore } from '../../app/store.ts'
import type { Channel } from '../channels.ts'
import { type DraftKind, readDraft } from '../state/drafts/drafts.ts'
import type { OutboxEntry } from '../state/outbox.ts'
import { type Message, showNewest } from '../state/thread-entries.ts'
import type { Conversation } from '../state/views.ts'
import { reopened } from './reopened-template.ts'
import { sendWithUndo } from './send-with-undo.ts'
import { findMentions } from './suggestions/mentions.ts'
import { hasCaptions } from './text-limit.ts'
import type { Attachments } from './use-attachments.ts'

type Content = OutboxEntry['content']

export interface SendOptions {
  sendAt?: Date
  /** Closes the conversation after the message. */
  closes?: boolean
}

interface SendContext {
  conversation: Conversation
  inboxId: string
  kind: DraftKind
  setKind: (kind: DraftKind) => void
  setText: (text: string) => void
  attachments: Attachments
  quoted: Message | undefined
  onQuote: (message: Message | undefined) => void
}

function toContents(text: string, files: Attachments['files'], channel: Channel): Content[] {
  const message: Content[] = text === '' ? [] : [{ type: 'text', text: { body: text } }]
  const media = files.map(({ mediaId }): Content => ({ type: 'media', media: { mediaId: mediaId! } }))
  const [first, ...others] = media
  if (first?.type !== 'media' || text === '' || !hasCaptions(channel)) return [...media, ...message]
  return [{ ...first, media: { ...first.media, caption: text } }, ...others]
}

function toText(content: Content): string {
  if (content.type === 'text') return content.text.body
  return content.type === 'media' ? (content.media.caption ?? '') : ''
}

export function useSend(context: SendContext) {
  const { conversation, inboxId, kind, setKind, setText, attachments, quoted, onQuote } = context
  const { id: conversationId } = conversation
  const { undoSendSeconds } = useStore(preferences)
  const isNote = kind === 'note'
  const add = (contents: readonly Content[], { sendAt, closes }: SendOptions, draftRevision?: number) => {
    const contexts = quoted && !isNote ? [{ type: 'message' as const, messageId: quoted.id }] : undefined
    const entries = contents.map((content, position) => ({
      conversationId,
      content,
      inboxId: inboxId === conversation.inboxId ? undefined : inboxId,
      contexts: position === 0 ? contexts : undefined,
      note: isNote ? { mentions: findMentions(toText(content)) } : undefined,
      sendAt: sendAt?.toISOString(),
      draftRevision,
      closes: closes && position === contents.length - 1 ? true : undefined,
    }))
    onQuote(undefined)
    // A visitor of a website waits for the reply.
    const isAwaited = conversation.channel === 'webchat' && !isNote && !sendAt
    sendWithUndo(entries, isAwaited ? 0 : undoSendSeconds, removed => {
      if (contexts) onQuote(quoted)
      const [first] = removed
      if (first?.type === 'template')
        return reopened.set({ conversationId, inboxId: entries[0]?.inboxId, content: first })
      setKind(kind)
      setText(removed.map(toText).join(''))
      for (const content of removed)
        if (content.type === 'media') attachments.attachKnown(content.media.mediaId)
    })
    if (!sendAt) showNewest(conversationId)
  }
  const send = (text: string, options: SendOptions) => {
    const { revision } = readDraft(conversationId, kind)
    const { files } = attachments
    add(toContents(text, isNote ? [] : files, conversation.channel), options, revision)
    setText('')
    if (!isNote) attachments.clear()
  }
  /** Sends something else than the draft, which stays. */
  const sendContent = (content: Content) => add([content], {}, 0)
  return { send, sendContent }
}
