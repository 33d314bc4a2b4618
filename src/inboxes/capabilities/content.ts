/** Content types, sizes and reactions that each channel supports. */
import type { Channel } from '../../platform/config.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { hasVisibleCharacter } from '../../platform/visible-text.ts'
import type { Content, SendableContent } from '../content.ts'

export const supportedTypes: Record<Channel, readonly Content['type'][]> = {
  chatapp: ['text', 'template', 'media', 'rich', 'contactInfoRequest'],
  socialapp: ['text', 'media', 'rich'],
  sms: ['text', 'media'],
  webchat: ['text', 'media', 'rich', 'contactInfoRequest'],
}

/** Emojis that our side can react with. */
export const supportedReactions: Record<Channel, 'any' | readonly string[]> = {
  chatapp: 'any',
  socialapp: ['❤️', '❤'],
  sms: [],
  webchat: [],
}

const maxTextLength: Record<Channel, number> = {
  chatapp: 4096,
  socialapp: 1000,
  sms: 1600,
  webchat: 4096,
}

/** socialapp counts bytes, the other providers count characters. */
function textLengthViolation(
  channel: Channel,
  text: string,
  max = maxTextLength[channel],
): string | undefined {
  const length = channel === 'socialapp' ? Buffer.byteLength(text) : [...text].length
  const unit = channel === 'socialapp' ? 'bytes' : 'characters'
  return length > max ? `${channel} accepts at most ${max} ${unit}` : undefined
}

/** Returns the first field that the channel does not support, or undefined. */
export function findContentViolation(channel: Channel, content: SendableContent): Violation | undefined {
  if (!supportedTypes[channel].includes(content.type))
    return toViolation(
      'content.type',
      `${channel} does not support ${content.type}; it supports ${supportedTypes[channel].join(', ')}`,
    )
  const [blank] = findBlankTexts(content, 'content')
  if (blank) return blank
  if (content.type === 'text')
    return toViolation('content.text.body', textLengthViolation(channel, content.text.body))
  if (content.type === 'media') return captionViolation(channel, content.media.caption)
  if (content.type !== 'rich') return undefined
  return richViolations[channel]?.(content.rich)
}

function toViolation(field: string, message: string | undefined): Violation | undefined {
  return message === undefined ? undefined : violation(field, 'content_unsupported', message)
}

function captionViolation(channel: Channel, caption: string | undefined): Violation | undefined {
  if (caption === undefined || channel !== 'socialapp') return undefined
  return toViolation(
    'content.media.caption',
    'socialapp does not support captions; send the text as a separate message',
  )
}

type Rich = Extract<SendableContent, { type: 'rich' }>['rich']
const actions = 'content.rich.actions'

/** One type of action per message: up to three replies, or one url, flow or list. */
function chatappRichViolation({ header, body, actions: given }: Rich): Violation | undefined {
  const kind = given[0]!.type
  const other = given.findIndex(action => action.type !== kind)
  if (other > 0)
    return toViolation(
      `${actions}[${other}].type`,
      `must be ${kind}: chatapp accepts one type of action per message`,
    )
  const max = kind === 'reply' ? 3 : 1
  if (given.length > max) return toViolation(actions, `chatapp accepts at most ${max} of type ${kind}`)
  if (kind !== 'list' && [...body.text].length > 1024)
    return toViolation('content.rich.body.text', 'chatapp accepts at most 1024 characters')
  if (kind === 'list' && header?.type === 'media')
    return toViolation('content.rich.header', 'chatapp does not support media in the header of a list')
  return duplicateIdViolation(given) ?? rowCountViolation(given)
}

function rowCountViolation(given: Rich['actions']): Violation | undefined {
  const rows = given.flatMap(action =>
    action.type === 'list' ? action.sections.flatMap(section => section.rows) : [],
  )
  return rows.length > 10
    ? toViolation(`${actions}[0].sections`, 'chatapp accepts at most 10 rows in total')
    : undefined
}

/** Ids must be unique: a reply is recognised by its id. */
function duplicateIdViolation(given: Rich['actions']): Violation | undefined {
  const ids = given.flatMap(action => {
    if (action.type === 'reply') return [action.id]
    return action.type === 'list' ? action.sections.flatMap(section => section.rows.map(row => row.id)) : []
  })
  return new Set(ids).size < ids.length ? toViolation(actions, 'must have unique ids') : undefined
}

/** Any actions but flows, which belong to a provider. */
function webchatRichViolation({ actions: given }: Rich): Violation | undefined {
  const flow = given.findIndex(action => action.type === 'flow')
  if (flow >= 0) return toViolation(`${actions}[${flow}].type`, 'must be reply, url or list on webchat')
  return duplicateIdViolation(given)
}

function socialappRichViolation(card: Rich): Violation | undefined {
  const { header, body, footer, actions: given } = card
  const unsupported = given.findIndex(action => action.type === 'flow' || action.type === 'list')
  if (unsupported >= 0)
    return toViolation(`${actions}[${unsupported}].type`, 'must be reply or url on socialapp')
  if (header?.type === 'media')
    return toViolation('content.rich.header', 'socialapp does not support media in the header')
  const isButtons = given.some(action => action.type === 'url')
  if (isButtons && given.length > 3)
    return toViolation(actions, 'socialapp accepts at most 3 actions when one of them is a url')
  const text = [header?.text, body.text, footer?.text].filter(part => part !== undefined).join('\n\n')
  return (
    toViolation(
      'content.rich.body.text',
      textLengthViolation('socialapp', text, isButtons ? 640 : undefined),
    ) ?? duplicateIdViolation(given)
  )
}

const richViolations: Partial<Record<Channel, (rich: Rich) => Violation | undefined>> = {
  chatapp: chatappRichViolation,
  socialapp: socialappRichViolation,
  webchat: webchatRichViolation,
}

/** Searches all texts of the content. The `data` of a flow is the flow's own and may have blank values. */
export function findBlankTexts(value: unknown, field: string): Violation[] {
  if (typeof value === 'string')
    return hasVisibleCharacter(value) ? [] : [violation(field, 'blank', 'must have a visible character')]
  if (Array.isArray(value)) return value.flatMap((item, i) => findBlankTexts(item, `${field}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'data' ? [] : findBlankTexts(item, `${field}.${key}`),
  )
}
