/** Reply options: how channels show them, and what a definition must not contain. */
import { findContentViolation } from '../../../inboxes/capabilities/content.ts'
import type { SendableContent } from '../../../inboxes/content.ts'
import { type Channel, channels } from '../../../platform/config.ts'
import { type Violation, violation } from '../../../platform/errors.ts'
import { hasPlaceholders, normalizeReply } from '../node-fields.ts'

export interface Option {
  id: string
  title: string
}

type Card = Extract<SendableContent, { type: 'rich' }>

const maxButtonLength = 20
const maxRowLength = 24

function truncate(text: string, maxLength: number): string {
  const letters = [...text]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : text
}

/**
 * Renders reply options as the channel supports them: buttons, a list, or numbered lines. Content other than text is
 * returned unchanged.
 */
export function renderOptions(
  channel: Channel,
  content: SendableContent,
  options: readonly Option[] | undefined,
): SendableContent {
  if (!options || options.length === 0 || content.type !== 'text') return content
  const { body } = content.text
  const cards = [buttons(body, options), list(body, options)]
  return cards.find(card => findContentViolation(channel, card) === undefined) ?? numbered(body, options)
}

function buttons(body: string, options: readonly Option[]): Card {
  const actions = options.map(({ id, title }) => ({
    type: 'reply' as const,
    id,
    title: truncate(title, maxButtonLength),
  }))
  return { type: 'rich', rich: { body: { text: body }, actions } }
}

function list(body: string, options: readonly Option[]): Card {
  const rows = options.map(({ id, title }) => ({ id, title: truncate(title, maxRowLength) }))
  const action = { type: 'list' as const, title: '☰', sections: [{ rows }] }
  return { type: 'rich', rich: { body: { text: body }, actions: [action] } }
}

function numbered(body: string, options: readonly Option[]): SendableContent {
  const lines = options.map(({ title }, i) => `${i + 1}. ${title}`)
  return { type: 'text', text: { body: [body, ...lines].join('\n') } }
}

/** Returns a violation for each title that another option has, or that a channel would cut. */
export function titleViolations(options: readonly Option[]): Violation[] {
  const seen = new Set<string>()
  const maxLength = findMaxLength(options)
  return options.flatMap(({ title }, i) => {
    const at = `options[${i}].title`
    if (hasPlaceholders(title)) return []
    const written = normalizeReply(title)
    if (seen.has(written))
      return [violation(at, 'duplicate', 'must differ from the titles of the other options')]
    seen.add(written)
    return [...title].length > maxLength
      ? [violation(at, 'too_long', `must have at most ${maxLength} characters, or a channel cuts it`)]
      : []
  })
}

/** Returns the shortest limit of the channels that show so many options as buttons or rows. */
function findMaxLength(options: readonly Option[]): number {
  const content: SendableContent = { type: 'text', text: { body: '-' } }
  const limits = channels.map(channel => {
    const rendered = renderOptions(channel, content, options)
    if (rendered.type !== 'rich') return Number.POSITIVE_INFINITY
    return rendered.rich.actions?.some(action => action.type === 'list') ? maxRowLength : maxButtonLength
  })
  return Math.min(...limits)
}
