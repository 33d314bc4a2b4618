/** Stage 2 of sending: whether the channel, the template and the caller's access allow the content of a message. */
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import { renderCachedContent } from '../../inboxes/catalogue/render.ts'
import { findCatalogueViolations } from '../../inboxes/catalogue/violations.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import type { Channel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { toFingerprint } from '../../platform/http/idempotency/idempotency.ts'
import { getSendableMedia } from '../media/attachments.ts'
import type { StoredContext } from '../schemas.ts'
import { findMessage } from '../store/messages/messages.ts'
import type { Draft } from './accept-message.ts'

export interface SendInput {
  content: SendableContent
  inboxId?: string
  contexts?: ({ type: 'message'; messageId: string } | Extract<StoredContext, { type: 'resource' }>)[]
  clientMessageId?: string
  sendAt?: string
  draftRevision?: number
}

interface SendTarget {
  inbox: InboxRow
  /** The recipient's. */
  channel: Channel
  /** Undefined for the first message to the recipient. */
  conversationId?: string
}

/** Checks the input against the inbox and the recipient's channel; returns the message to accept. */
export async function checkContent(
  deps: Deps,
  caller: Caller,
  { inbox, channel, conversationId }: SendTarget,
  input: SendInput,
): Promise<Draft> {
  if (inbox.channel !== channel)
    invalid(
      violation('inboxId', 'inbox_channel_mismatch', `must be an inbox of ${channel}, not ${inbox.channel}`),
    )
  const unsupported = findContentViolation(channel, input.content)
  if (unsupported) invalid(unsupported)
  const media = await getSendableMedia(deps, caller, channel, input.content)
  const violations = await findCatalogueViolations(deps, inbox, input.content, media?.mediaType)
  if (violations.length > 0) invalid(...violations)
  await checkContexts(deps, caller.tenantId, conversationId, input)
  const { draftRevision, ...message } = input
  const { clientMessageId } = message
  return {
    sender: { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id },
    content: renderCachedContent(deps, inbox, input.content),
    context: input.contexts ?? [],
    ...(clientMessageId ? { clientMessageId, fingerprint: toFingerprint(message) } : {}),
    ...(caller.kind === 'user' ? { completesDraft: { maxRevision: draftRevision ?? null } } : {}),
  }
}

/** A message replies to one message at most, and to one of the same conversation. */
async function checkContexts(
  deps: Deps,
  tenantId: string,
  conversationId: string | undefined,
  { contexts = [] }: SendInput,
): Promise<void> {
  const [first, second] = contexts.flatMap((context, i) =>
    context.type === 'message' ? [{ field: `contexts[${i}]`, messageId: context.messageId }] : [],
  )
  if (second)
    invalid(violation(second.field, 'duplicate', 'must be removed: a message replies to one message at most'))
  if (!first) return
  const message = await findMessage(deps.db, tenantId, first.messageId)
  if (!message || message.conversationId !== conversationId)
    invalid(violation(`${first.field}.messageId`, 'unknown_message', 'is not a message of this conversation'))
}
