/** Answers to choose from, as a channel can show them: buttons, a list, or lines with numbers. */
import { findContentViolation } from '../../../inboxes/capabilities/content.ts'
import type { SendableContent } from '../../../inboxes/content.ts'
import type { Channel } from '../../../platform/config.ts'

export interface Option {
  id: string
  title: string
}

type Card = Extract<SendableContent, { type: 'rich' }>

const maxButtonLength = 20
const maxRowLength = 24

function truncate(text: string, most: number): string {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

/** Content that shows its own answers, or has no text to put them under, is left as it is. */
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
