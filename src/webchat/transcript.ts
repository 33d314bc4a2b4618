/** The conversation as plain text, as the visitor saw it. */
import { listCustomerMessages } from '../conversations/customer-view.ts'
import { buildPreview, type Content } from '../inboxes/content.ts'
import type { Deps } from '../platform/deps.ts'
import type { Visitor } from '../platform/http/caller.ts'
import { toWidgetMessages } from './message-view.ts'
import { findConversationOf } from './sessions.ts'

const maxMessages = 2_000

export async function buildTranscript(deps: Deps, visitor: Visitor): Promise<string> {
  const conversation = await findConversationOf(deps, visitor)
  if (!conversation) return ''
  const page = { before: undefined, limit: maxMessages }
  const rows = await listCustomerMessages(deps.db, visitor.tenantId, conversation.id, page)
  const messages = await toWidgetMessages(deps, visitor.tenantId, rows)
  const lines = messages.map(({ createdAt, author, content }, i) => {
    const text = describeFile(content) ?? describeContent(rows[i]!.content)
    return `${toLineTime(createdAt)} ${author.name ?? authorNames[author.kind]}: ${text}`
  })
  return `${lines.reverse().join('\n')}\n`
}

const describeContent = (content: Content): string =>
  content.type === 'text' ? content.text.body : buildPreview(content)

/** Returns the name of the file, with its caption. */
function describeFile({ type, media }: { type: string; media?: unknown }): string | undefined {
  const { filename, caption } = (media ?? {}) as { filename?: string; caption?: string }
  return type === 'media' && filename ? [`[${filename}]`, caption].filter(Boolean).join(' ') : undefined
}

const authorNames = { visitor: 'Visitor', agent: 'Agent', bot: 'Bot' }

/** Such as `2026-01-31 09:30 UTC`. */
const toLineTime = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`
