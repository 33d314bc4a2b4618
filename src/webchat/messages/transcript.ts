/** The conversation as plain text, as the visitor saw it. */
import { listCustomerMessages } from '../../conversations/customer-view.ts'
import { buildPreview, type Content } from '../../inboxes/content.ts'
import { parseSurveyChoice } from '../../inboxes/settings/survey-content.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { findConversationOf } from '../visitors/sessions.ts'
import { toWidgetMessages } from './message-view.ts'

const maxMessages = 2_000

export async function buildTranscript(deps: Deps, visitor: Visitor): Promise<string> {
  const conversation = await findConversationOf(deps, visitor)
  if (!conversation) return ''
  const page = { before: undefined, limit: maxMessages }
  const rows = await listCustomerMessages(deps.db, visitor.tenantId, conversation.id, page)
  const messages = await toWidgetMessages(deps, visitor.tenantId, rows)
  const names = authorNames[visitor.locale?.split('-')[0]?.toLowerCase() ?? ''] ?? english
  const lines = messages.map(({ createdAt, author, content }, i) => {
    const text = describeFile(content) ?? describeContent(rows[i]!.content)
    return `${toLineTime(createdAt)} ${author.name ?? names[author.kind]}: ${text}`
  })
  return `${lines.reverse().join('\n')}\n`
}

/** Returns the whole text; further lines are indented. */
function describeContent(content: Content): string {
  const lines = content.type === 'text' ? [content.text.body] : describeCard(content)
  return lines.join('\n').replaceAll('\n', '\n  ')
}

/** Returns a card with the titles of its buttons, and of its lists with those of their rows. */
function describeCard(content: Content): string[] {
  if (content.type !== 'rich') return [buildPreview(content)]
  const { header, body, footer, actions } = content.rich
  const titles = actions.flatMap((action): { title: string }[] => {
    if (action.type === 'list') return action.sections.flatMap(({ rows }) => rows)
    // The frame shows faces in place of the choices of a survey.
    return action.type === 'reply' && parseSurveyChoice(action.id) ? [] : [action]
  })
  return [
    ...(header?.type === 'text' ? [header.text] : []),
    body.text,
    ...(footer ? [footer.text] : []),
    ...titles.map(({ title }) => `- ${title}`),
  ]
}

/** Returns the name of the file, with its caption. */
function describeFile({ type, media }: { type: string; media?: unknown }): string | undefined {
  const { filename, caption } = (media ?? {}) as { filename?: string; caption?: string }
  return type === 'media' && filename ? [`[${filename}]`, caption].filter(Boolean).join(' ') : undefined
}

const english = { visitor: 'Visitor', agent: 'Agent', bot: 'Bot' }
/** In the languages of the widget. */
const authorNames: Record<string, typeof english> = {
  de: { visitor: 'Besucher', agent: 'Team', bot: 'Bot' },
  ar: { visitor: 'الزائر', agent: 'الفريق', bot: 'الروبوت' },
}

/** Such as `2026-01-31 09:30 UTC`. */
const toLineTime = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`
