/** Applies realtime events to the conversations and threads of this tab. */
import { type Frame, onFrames } from '../../api/realtime.ts'
import { getSignedIn, session } from '../../api/session.ts'
import { clearPresence, receivePresence, resendPresence, setViewed } from '../../app/presence.ts'
import {
  clearConversations,
  countUnread,
  getConversation,
  listIdsOfContact,
  loadByIds,
  reloadLists,
  removeConversation,
  setOpenId,
  upsert,
} from './conversations.ts'
import { loadDrafts, noticeDraft, startDraftSync } from './drafts/draft-sync.ts'
import { ensureLabels, setLabels } from './labels.ts'
import { followCounts, receiveCounts, startCounts } from './lists/counts.ts'
import { flushOutbox, startOutbox } from './outbox.ts'
import { clearSavedReplies, noticeSavedReply } from './saved-replies.ts'
import { clearScheduled, receiveScheduled, removeScheduled } from './scheduled.ts'
import {
  clearThreads,
  type Message,
  type Note,
  receiveMessages,
  receiveNotes,
  refreshThread,
  reloadThreads,
  removeEntry,
} from './thread-entries.ts'
import { type Conversation, conversationViews, savedViews, withLastMessage } from './views.ts'

let openConversationId: string | undefined

/** The thread on the screen is read again after missed events; others when they are opened. */
export function setOpenConversation(id: string | undefined): void {
  openConversationId = id
  setViewed('conversation', id)
  setOpenId(id)
}

export function startInbox(): () => void {
  const stopOutbox = startOutbox()
  const stopDrafts = startDraftSync()
  const stopFrames = onFrames(apply)
  const { labels, views } = getSignedIn()
  setLabels(labels)
  savedViews.set(views)
  const stopCounts = startCounts()
  const stopLabels = session.subscribe(() => {
    const value = session.get()
    if (value.status === 'signed-in') setLabels(value.labels)
  })
  return () => {
    stopLabels()
    stopFrames()
    stopOutbox()
    stopDrafts()
    clearPresence()
    clearSavedReplies()
    stopCounts()
    clearConversations()
    clearThreads()
    clearScheduled()
  }
}

/** The changes of a batch of frames; applied once, at its end. */
interface Batch {
  messages: Message[]
  notes: Note[]
  /** Conversations about which the frames do not say enough. */
  incomplete: string[]
}

// biome-ignore lint/suspicious/noExplicitAny: each kind of frame has its own data
const handlers: Record<string, (data: any, batch: Batch) => void> = {
  hello: () => {
    flushOutbox()
    followCounts()
    resendPresence()
    void loadDrafts()
  },
  resync: () => {
    followCounts()
    void conversationViews.reload()
    reloadLists()
    reloadThreads(openConversationId)
  },
  conversation_read: (data, { incomplete }) => {
    if (isReadElsewhere(data)) incomplete.push(data.conversationId)
  },
  draft_changed: noticeDraft,
  presence: receivePresence,
  view_counts: receiveCounts,
  changed: data => {
    if (data.kind === 'saved_reply') noticeSavedReply()
    if (data.kind === 'view') void conversationViews.reload()
  },
  'conversation.started': ({ conversation }) => refreshThread(conversation.id),
  'conversation.updated': ({ conversation }) => refreshThread(conversation.id),
  'conversation.closed': ({ conversation }) => refreshThread(conversation.id),
  'conversation.rated': ({ conversation }) => refreshThread(conversation.id),
  // The name and the picture of a conversation follow those of its contact.
  'contact.updated': ({ contact, changes }, { incomplete }) => {
    if (changes?.includes('name') || changes?.includes('avatarUrl'))
      incomplete.push(...listIdsOfContact(contact.id))
  },
  'message.created': ({ message }, batch) => {
    batch.messages.push(message)
    removeScheduled(message)
    if (!count(message)) batch.incomplete.push(message.conversationId)
  },
  'message.updated': ({ message }, { messages }) => messages.push(message),
  'message.scheduled': ({ message }) => receiveScheduled(message),
  'message.unscheduled': ({ message }) => removeScheduled(message),
  'note.created': ({ note }, { notes }) => notes.push(note),
  'note.updated': ({ note }, { notes }) => notes.push(note),
  'note.deleted': ({ note }) => removeEntry(note.conversationId, note.id),
}

function apply(frames: readonly Frame[]): void {
  const batch: Batch = { messages: [], notes: [], incomplete: [] }
  const conversations = new Map<string, Conversation>()
  const hidden = new Set<string>()
  for (const { type, data } of frames) {
    handlers[type]?.(data, batch)
    if (data?.conversation) hidden.delete(data.conversation.id)
    if (type === 'conversation_hidden') {
      conversations.delete(data.conversationId)
      hidden.add(data.conversationId)
    }
    // An event contains the conversation as it was after it: the last one is the current state.
    if (data?.conversation) conversations.set(data.conversation.id, toLatest(data, conversations))
    if (data?.note && !mentionsMe(data.note) && isMentioned(data.note, conversations))
      batch.incomplete.push(data.note.conversationId)
  }
  receiveMessages(batch.messages)
  receiveNotes(batch.notes)
  hidden.forEach(removeConversation)
  upsert([...conversations.values()])
  ensureLabels([...conversations.values()].flatMap(({ labelIds }) => labelIds))
  loadByIds(batch.incomplete)
}

interface ConversationData {
  conversation: Conversation
  message?: Message
  note?: Partial<Note>
}

/** Events name the user who wrote a message, its delivery status and the mentions of a note in the message or note only. */
function toLatest(
  { conversation, message, note }: ConversationData,
  earlier: ReadonlyMap<string, Conversation>,
): Conversation {
  const isLast = message && message.createdAt === conversation.lastMessageAt
  const latest = isLast ? withLastMessage(conversation, message) : conversation
  const mention = note && mentionsMe(note) ? { mentioned: true } : {}
  return { ...earlier.get(conversation.id), ...latest, ...mention }
}

/** The event of a deleted note does not have its mentions. */
const mentionsMe = ({ mentions = [] }: Partial<Note>) => mentions.includes(getSignedIn().me.id)

/** Whether a note mentioned the user before. Only the service can find whether another one does. */
const isMentioned = ({ conversationId }: Note, latest: ReadonlyMap<string, Conversation>) =>
  latest.get(conversationId)?.mentioned ?? getConversation(conversationId)?.mentioned

/** Whether another tab or browser of the user has read the conversation, or marked it as unread. */
function isReadElsewhere(data: { conversationId: string; lastMessageId: string | null }): boolean {
  const known = getConversation(data.conversationId)
  return known !== undefined && known.lastReadMessageId !== data.lastMessageId
}

/** Counts the message as unread. Returns false if the conversation is unknown here, and with it its earlier messages. */
function count({ conversationId, senderType, createdAt }: Message): boolean {
  if (senderType !== 'customer') return true
  // The thread on the screen marks the message as read when it shows it; see thread.tsx.
  if (conversationId === openConversationId && !document.hidden) return true
  countUnread(conversationId, createdAt)
  return getConversation(conversationId) !== undefined
}
