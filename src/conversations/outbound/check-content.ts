/** Stage 2 of sending: whether the channel, the template and the caller's access allow the content of a message. */
import { findContentViolation } from '../../inboxes/capabilities/content.ts'
import { findTemplateViolations } from '../../inboxes/capabilities/template.ts'
import { findTemplate } from '../../inboxes/catalogue/templates.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import type { Channel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { toFingerprint } from '../../platform/http/idempotency.ts'
import { getSendableMedia } from '../media/attachments.ts'
import type { StoredContext } from '../schemas.ts'
import { findVisibleConversation } from '../store/conversations.ts'
import { findMessage } from '../store/messages.ts'
import type { Draft } from './accept-message.ts'

export interface SendInput {
  content: SendableContent
  inboxId?: string
  contexts?: ({ type: 'message'; messageId: string } | Extract<StoredContext, { type: 'resource' }>)[]
  clientMessageId?: string
}

/** Checks the input against the inbox and the recipient's channel; returns the message to accept. */
export async function checkContent(
  deps: Deps,
  caller: Caller,
  { inbox, channel }: { inbox: InboxRow; channel: Channel },
  input: SendInput,
): Promise<Draft> {
  if (inbox.channel !== channel)
    invalid(
      violation('inboxId', 'inbox_channel_mismatch', `must be an inbox of ${channel}, not ${inbox.channel}`),
    )
  const unsupported = findContentViolation(channel, input.content)
  if (unsupported) invalid(violation(unsupported.field, 'content_unsupported', unsupported.message))
  const media = await getSendableMedia(deps, caller, channel, input.content)
  await checkTemplate(deps, inbox, input.content, media?.mediaType)
  await checkContexts(deps, caller, input)
  const { clientMessageId } = input
  return {
    sender: { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id },
    content: input.content,
    context: input.contexts ?? [],
    ...(clientMessageId ? { clientMessageId, fingerprint: toFingerprint(input) } : {}),
  }
}

async function checkTemplate(
  deps: Deps,
  inbox: InboxRow,
  content: SendableContent,
  mediaType: Parameters<typeof findTemplateViolations>[2],
): Promise<void> {
  if (content.type !== 'template') return
  const template = await findTemplate(deps, inbox, content.template.name, content.template.language)
  if (template === null)
    invalid(
      violation(
        'content.template.name',
        'template_unknown',
        'is not a template of this inbox in this language',
      ),
    )
  // Undefined: the provider could not be queried. It checks the template itself when the message is delivered.
  const violations = template ? findTemplateViolations(template, content, mediaType) : []
  if (violations.length > 0) invalid(...violations)
}

async function checkContexts(deps: Deps, caller: Caller, { contexts = [] }: SendInput): Promise<void> {
  for (const [i, context] of contexts.entries()) {
    if (context.type !== 'message') continue
    const message = await findMessage(deps.db, caller.tenantId, context.messageId)
    const conversation = message && (await findVisibleConversation(deps.db, caller, message.conversationId))
    if (!conversation)
      invalid(violation(`contexts[${i}].messageId`, 'unknown_message', 'is not a message of this workspace'))
  }
}
