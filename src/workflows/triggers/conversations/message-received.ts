import Type from 'typebox'
import { messageCreated } from '../../../conversations/events.ts'
import { findMessage } from '../../../conversations/messages/messages.ts'
import { type Violation, violation } from '../../../platform/errors.ts'
import { literals } from '../../../platform/http/schemas.ts'
import { matches } from '../../expressions/evaluation.ts'
import { estimateSize, findPatternError, maxPatternLength, maxPatternSize } from '../../expressions/regex.ts'
import { conversationEntry, customerMessage, getText, hasKeyword } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'
import { InboxIds, inboxReferences, isOnInbox } from './conversation-started.ts'

export const messageReceived = defineTrigger({
  type: 'message_received',
  kinds: ['journey', 'chatbot'],
  summary: 'A customer sent a message',
  docs: `Starts for messages from customers. \`match\` selects them: \`any\`; \`first\`, the first message of the conversation;
\`keyword\`, a message with the words of one of \`values\`, ignoring case; \`regex\`, a message that matches one of \`values\` (RE2
syntax). The run reads it as \`message\`. A chatbot starts only if none of its runs is in progress.`,
  config: {
    match: Type.Optional(literals(['any', 'first', 'keyword', 'regex'], { description: 'Default any' })),
    values: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: maxPatternLength }), { minItems: 1, maxItems: 50 }),
    ),
    inboxIds: InboxIds,
  },
  references: inboxReferences,
  violations: ({ match = 'any', values }) => {
    const needed = match === 'keyword' || match === 'regex'
    if (needed !== (values !== undefined))
      return [
        violation(
          'values',
          needed ? 'required' : 'not_allowed',
          `${needed ? 'is required' : 'is not allowed'} with match ${match}`,
        ),
      ]
    if (match !== 'regex') return []
    return patternViolations(values ?? [])
  },
  events: [messageCreated.type],
  match: ({ match, values = [], inboxIds }, event) => {
    const received = customerMessage(event)
    if (!received || !isOnInbox(event, inboxIds)) return undefined
    const text = getText(received.message.content)
    return match !== 'keyword' || hasKeyword(text, values)
      ? conversationEntry(event, { text, messageId: received.message.id })
      : undefined
  },
  confirm: async (tx, tenantId, { match, values = [] }, entry) => {
    if (match === 'regex') return matchesAny(tenantId, values, String(entry.event.data.text))
    if (match !== 'first') return true
    const message = await findMessage(tx, tenantId, String(entry.event.data.messageId))
    return message?.customerPosition === 1
  },
})

function patternViolations(values: readonly string[]): Violation[] {
  const violations = values.flatMap((pattern, i) => {
    const error = findPatternError(pattern)
    return error ? [violation(`values[${i}]`, 'invalid_pattern', error)] : []
  })
  const size = values.reduce((sum, pattern) => sum + estimateSize(pattern), 0)
  return violations.length > 0 || size <= maxPatternSize
    ? violations
    : [violation('values', 'too_complex', `must expand to at most ${maxPatternSize} steps together`)]
}

async function matchesAny(tenantId: string, patterns: readonly string[], text: string): Promise<boolean> {
  for (const pattern of patterns) if (await matches(tenantId, pattern, text, 'wait')) return true
  return false
}
