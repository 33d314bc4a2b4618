/** The actions on one message or note: send again, cancel, react, edit, delete. */
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { addToOutbox, type OutboxEntry } from '../state/outbox.ts'
import { receiveScheduled, removeScheduled } from '../state/scheduled.ts'
import {
  changeMessage,
  type Message,
  type Note,
  receiveMessages,
  receiveNotes,
  removeEntry,
} from '../state/thread-entries.ts'

/** Automations have reacted to the failure of their own messages. */
export function canRetry({ deliveryStatus, senderType, content }: Message): boolean {
  const isOfPerson = senderType === 'user' || senderType === 'service'
  return deliveryStatus === 'failed' && isOfPerson && content.type !== 'deleted' && hasScope('message:create')
}

export async function retryMessage(message: Message): Promise<void> {
  const { deliveryStatus, deliveryError } = message
  changeMessage(message, { deliveryStatus: 'pending', deliveryError: undefined } as Partial<Message>)
  try {
    const params = { path: { id: message.id } }
    const accepted = await call(api.POST('/messages/{id}/retry', { params }))
    receiveMessages([accepted.message])
  } catch (error) {
    changeMessage(message, { deliveryStatus, deliveryError } as Partial<Message>)
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

/** Cancels a scheduled message; undo schedules it again. */
export async function cancelScheduled(message: Message): Promise<void> {
  removeScheduled(message)
  try {
    await call(api.DELETE('/messages/{id}', { params: { path: { id: message.id } } }))
  } catch (error) {
    receiveScheduled(message)
    return void showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
  const { conversationId, sendAt } = message
  const content = message.content as OutboxEntry['content']
  const undo = () => void addToOutbox({ conversationId, content, sendAt })
  showToast({ text: t.scheduledCancelled, action: { label: t.undo, run: undo } })
}

/** Sets the user's reaction, or removes it if it is this one. */
export async function react(message: Message, emoji: string): Promise<void> {
  const { me } = getSignedIn()
  const { reactions = [], id: messageId } = message
  const isMine = (item: { senderId: string }) => item.senderId === me.id
  const removed = reactions.some(item => isMine(item) && item.emoji === emoji)
  const own = {
    id: `own-${messageId}`,
    messageId,
    senderType: 'user',
    senderId: me.id,
    emoji,
    createdAt: new Date().toISOString(),
  }
  const others = reactions.filter(item => !isMine(item))
  changeMessage(message, { reactions: removed ? others : [...others, own] })
  try {
    const body = { emoji, ...(removed ? { removed } : {}) }
    await call(api.POST('/messages/{id}/reactions', { params: { path: { id: messageId } }, body }))
  } catch (error) {
    changeMessage(message, { reactions })
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

/** Returns whether it was saved. */
export async function editNote(note: Note, text: string, mentions: string[]): Promise<boolean> {
  try {
    const body = { text, mentions }
    receiveNotes([await call(api.PATCH('/notes/{id}', { params: { path: { id: note.id } }, body }))])
    return true
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return false
  }
}

export async function deleteNote(note: Note): Promise<void> {
  removeEntry(note.conversationId, note.id)
  try {
    await call(api.DELETE('/notes/{id}', { params: { path: { id: note.id } } }))
    showToast({ text: t.noteDeleted })
  } catch (error) {
    receiveNotes([note])
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}
