/**
 * Runs a macro on conversations with the rights of the caller. All conversations are changed in one transaction, which also
 * stores the response to an Idempotency-Key: a retry has no second effect. A conversation on which an action fails is left
 * as it was, without an effect on the others.
 */
import { runAction, setOwner, setPriority, snooze } from '../../conversations/conversation-actions.ts'
import { closeConversation } from '../../conversations/conversations.ts'
import { labelConversation, lockLabels, unlabelConversation } from '../../conversations/labels/labels.ts'
import { createNote } from '../../conversations/notes/notes.ts'
import { sendReply } from '../../conversations/outbound/send-message.ts'
import type { OwnerRequest } from '../../conversations/schemas.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { withSavepoint } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, Problem, violation } from '../../platform/errors.ts'
import { requireScopes } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { MacroNotFound, PlaceholderMissing, SavedReplyNotFound } from '../errors.ts'
import { fillPlaceholders } from '../saved-replies/placeholders.ts'
import { findMacro } from '../store/macros.ts'
import { findSavedReply } from '../store/saved-replies.ts'
import { isMe } from './macros.ts'
import { type MacroAction, type MacroResult, macroActionScopes } from './schemas.ts'

interface MacroContext {
  deps: Deps
  caller: Caller
  /** Refuses messages that the send policy would make fail later. */
  strict: boolean
}

/** Older than every draft: what the caller is writing stays. */
const keepingDraft = { draftRevision: 0 }

/** Returns the actions of a macro that the caller sees and may run. */
export async function getRunnableActions(on: Queryable, caller: Caller, id: string): Promise<MacroAction[]> {
  const { actions } = (await findMacro(on, caller, id)) ?? fail(MacroNotFound)
  requireScopes([...new Set(actions.flatMap(({ type }) => macroActionScopes[type]))], caller)
  return actions
}

export async function runMacro(
  context: MacroContext,
  tx: Tx,
  actions: readonly MacroAction[],
  conversationIds: readonly string[],
): Promise<{ results: MacroResult[] }> {
  const labelIds = actions.flatMap(action => ('labelId' in action ? [action.labelId] : []))
  // Labels are locked before conversations, and conversations in one order.
  await lockLabels(tx, context.caller.tenantId, labelIds)
  const results = new Map<string, MacroResult>()
  for (const id of [...conversationIds].sort()) results.set(id, await runOn(context, tx, actions, id))
  return { results: conversationIds.map(id => results.get(id)!) }
}

async function runOn(
  context: MacroContext,
  tx: Tx,
  actions: readonly MacroAction[],
  conversationId: string,
): Promise<MacroResult> {
  let current = 0
  try {
    await withSavepoint(tx, async () => {
      for (const [i, action] of actions.entries()) {
        current = i
        await apply(context, tx, conversationId, action)
      }
    })
    return { conversationId, result: 'done', error: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const code = error.extras.violations?.[0]?.code ?? error.kind.code
    return { conversationId, result: 'failed', error: { action: current, code, message: error.message } }
  }
}

async function apply(context: MacroContext, tx: Tx, id: string, action: MacroAction): Promise<unknown> {
  const { caller } = context
  switch (action.type) {
    case 'reply':
      return reply(context, tx, id, { text: action.text, mediaIds: [] })
    case 'savedReply':
      return reply(
        context,
        tx,
        id,
        (await findSavedReply(tx, caller, action.savedReplyId)) ?? fail(SavedReplyNotFound),
      )
    case 'note':
      return createNote(tx, caller, id, { text: action.text, ...keepingDraft })
    case 'addLabel':
      return labelConversation(tx, caller, id, action.labelId)
    case 'removeLabel':
      return unlabelConversation(tx, caller, id, action.labelId)
    case 'assign':
      return runAction(tx, caller, id, setOwner, toOwner(caller, action.owner))
    case 'setPriority':
      return runAction(tx, caller, id, setPriority, action.priority)
    case 'snooze':
      return runAction(tx, caller, id, snooze, toSnooze(tx, action.minutes))
    case 'close':
      return closeConversation(tx, caller, id)
  }
}

/** Sends the text with its values, then each file, in the transaction of the macro. */
async function reply(
  { deps, caller, strict }: MacroContext,
  tx: Tx,
  conversationId: string,
  { text, mediaIds }: { text: string; mediaIds: readonly string[] },
): Promise<void> {
  const filled = await fillPlaceholders(tx, caller, conversationId, text)
  if (filled.missing.length > 0)
    fail(PlaceholderMissing, `${[...new Set(filled.missing)].join(', ')}: set the value, or give a default`)
  const contents: SendableContent[] = [
    ...(filled.text.trim() ? [{ type: 'text' as const, text: { body: filled.text } }] : []),
    ...mediaIds.map(mediaId => ({ type: 'media' as const, media: { mediaId } })),
  ]
  const context = { deps, caller, strict, exclusiveWrite: <T>(write: (tx: Tx) => Promise<T>) => write(tx) }
  for (const content of contents) await sendReply(context, conversationId, { content, ...keepingDraft })
}

function toOwner(caller: Caller, owner: OwnerRequest): OwnerRequest {
  if (!isMe(owner)) return owner
  if (caller.kind !== 'user')
    invalid(violation('owner.id', 'user_required', 'needs a user; service accounts own no conversation'))
  return { type: 'user', id: caller.id }
}

function toSnooze({ now }: Tx, minutes: number | undefined) {
  if (minutes === undefined) return { untilReply: true }
  return { until: new Date(Date.parse(now) + minutes * 60_000).toISOString() }
}
