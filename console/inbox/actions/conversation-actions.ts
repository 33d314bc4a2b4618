/**
 * The actions on a conversation. Each change is shown immediately, taken back if the service refuses it, and can be
 * undone.
 */
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { followAction, showToast } from '../../ui/overlays/toasts.ts'
import { getConversation, receive, upsert } from '../state/conversations.ts'
import { createLabel, type Label } from '../state/labels.ts'
import type { Conversation } from '../state/views.ts'

export type Priority = NonNullable<Conversation['priority']>
export type Owner = Conversation['activeOwner']

interface Change {
  values: Partial<Conversation>
  request: () => Promise<unknown>
  /** Text of the confirmation. A change without one is itself an undo. */
  done?: string | undefined
  undo?: (() => void) | undefined
}

const apply = (conversation: Conversation, change: Change) => followAction(send(conversation, change))

/** Returns whether the service accepted the change. */
async function send(conversation: Conversation, { values, request, done, undo }: Change): Promise<boolean> {
  const former = getConversation(conversation.id) ?? conversation
  upsert([{ ...former, ...values }])
  try {
    await request()
  } catch (error) {
    const current = getConversation(conversation.id)
    if (current) upsert([{ ...current, ...pick(former, values) }])
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return false
  }
  if (done) showToast({ text: done, action: undo && { label: t.undo, run: undo } })
  return true
}

function pick(from: Conversation, like: Partial<Conversation>): Partial<Conversation> {
  return Object.fromEntries(Object.keys(like).map(key => [key, from[key as keyof Conversation]]))
}

const toParams = ({ id }: Conversation) => ({ path: { id } })

export function closeConversation(conversation: Conversation, isUndo = false): Promise<void> {
  return apply(conversation, {
    values: { status: 'closed', snoozed: false, snoozedUntil: null },
    request: () => call(api.POST('/conversations/{id}/close', { params: toParams(conversation) })),
    done: isUndo ? undefined : t.conversationClosed(conversation.name),
    undo: () => void reopenConversation(conversation, true),
  })
}

export function reopenConversation(conversation: Conversation, isUndo = false): Promise<void> {
  return apply(conversation, {
    values: { status: 'open', closedAt: null },
    request: () => call(api.POST('/conversations/{id}/reopen', { params: toParams(conversation) })),
    done: isUndo ? undefined : t.conversationReopened(conversation.name),
    undo: () => void closeConversation(conversation, true),
  })
}

/** Assigns to a user, a team or a bot; null: to nobody. `name` is shown; without it, the change is an undo. */
export function assign(conversation: Conversation, owner: Owner, name?: string): Promise<void> {
  const former = conversation.activeOwner
  const body: Schemas['OwnerRequest'] = owner ?? { type: 'none' }
  return apply(conversation, {
    values: { activeOwner: owner, ...(owner?.type === 'team' ? { teamId: owner.id } : {}) },
    request: () => call(api.PUT('/conversations/{id}/owner', { params: toParams(conversation), body })),
    done: name && (owner ? t.assignedTo(name) : t.nowUnassigned),
    undo: () => void assign(conversation, former),
  })
}

export function assignToMe(conversation: Conversation): void {
  void assign(conversation, { type: 'user', id: getSignedIn().me.id }, t.youInText)
}

export function setPriority(
  conversation: Conversation,
  priority: Priority | null,
  isUndo = false,
): Promise<void> {
  const former = conversation.priority
  const params = toParams(conversation)
  return apply(conversation, {
    values: { priority },
    request: () => call(api.PUT('/conversations/{id}/priority', { params, body: { priority } })),
    done: isUndo ? undefined : t.prioritySet(priority ? t.priorities[priority] : t.noPriority),
    undo: () => void setPriority(conversation, former, true),
  })
}

/** Hides the conversation from the open lists until a time, or until the customer writes (undefined). */
export function snooze(conversation: Conversation, until: Date | undefined, isUndo = false): Promise<void> {
  const params = toParams(conversation)
  const body = until ? { until: until.toISOString() } : { untilReply: true }
  return apply(conversation, {
    values: { snoozed: true, snoozedUntil: until?.toISOString() ?? null },
    request: () => call(api.PUT('/conversations/{id}/snooze', { params, body })),
    done: isUndo ? undefined : t.snoozed(conversation.name),
    undo: () => void wake(conversation, true),
  })
}

export function wake(conversation: Conversation, isUndo = false): Promise<void> {
  const { snoozedUntil } = conversation
  return apply(conversation, {
    values: { snoozed: false, snoozedUntil: null },
    request: () => call(api.DELETE('/conversations/{id}/snooze', { params: toParams(conversation) })),
    done: isUndo ? undefined : t.awake(conversation.name),
    undo: () => void snooze(conversation, snoozedUntil ? new Date(snoozedUntil) : undefined, true),
  })
}

export function setLabel(
  conversation: Conversation,
  label: Label,
  isOn: boolean,
  isUndo = false,
): Promise<void> {
  const current = getConversation(conversation.id) ?? conversation
  const others = current.labelIds.filter(id => id !== label.id)
  const params = { path: { id: conversation.id, labelId: label.id } }
  const path = '/conversations/{id}/labels/{labelId}'
  return apply(conversation, {
    values: { labelIds: isOn ? [...others, label.id] : others },
    request: () => call<unknown>(isOn ? api.PUT(path, { params }) : api.DELETE(path, { params })),
    done: isUndo ? undefined : isOn ? t.labelAdded(label.name) : t.labelRemoved(label.name),
    undo: () => void setLabel(conversation, label, !isOn, true),
  })
}

export async function addNewLabel(conversation: Conversation, name: string): Promise<void> {
  try {
    await setLabel(conversation, await createLabel(name), true)
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

/** Marks the customer's last message as unread; the thread on the screen does not mark it as read again. */
export async function markUnread(conversation: Conversation): Promise<void> {
  try {
    const params = toParams(conversation)
    receive([await call(api.DELETE('/conversations/{id}/read', { params }))])
    showToast({ text: t.markedUnread(conversation.name) })
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

/** The service runs all actions or none. The changes arrive as events; a macro cannot be undone. */
export async function runMacro({ id, name }: Conversation, macro: Schemas['Macro']): Promise<void> {
  const params = { path: { id: macro.id }, header: { 'Idempotency-Key': crypto.randomUUID() } }
  try {
    const { results } = await call(api.POST('/macros/{id}/run', { params, body: { conversationIds: [id] } }))
    const error = results[0]?.error
    showToast(
      error
        ? { text: t.macroFailed(macro.name, error.message), tone: 'danger' }
        : { text: t.macroDone(macro.name, name) },
    )
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}
