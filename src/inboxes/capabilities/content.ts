/** Which channel carries which content, and how much of it. */
import type { Channel } from '../../platform/config.ts'
import type { Content, SendableContent } from '../content.ts'

export interface ContentViolation {
  field: string
  message: string
}

export const supportedTypes: Record<Channel, readonly Content['type'][]> = {
  chatapp: ['text', 'template', 'media', 'rich', 'contactInfoRequest'],
  socialapp: ['text', 'media', 'rich'],
  sms: ['text', 'media'],
}

const maxTextLength: Record<Channel, number> = { chatapp: 4096, socialapp: 1000, sms: 1600 }

/** As the provider counts: the social one in bytes, the others in characters. */
function textLengthViolation(
  channel: Channel,
  text: string,
  most = maxTextLength[channel],
): string | undefined {
  const length = channel === 'socialapp' ? Buffer.byteLength(text) : [...text].length
  const unit = channel === 'socialapp' ? 'bytes' : 'characters'
  return length > most ? `${channel} takes at most ${most} ${unit}` : undefined
}

/** Why this channel cannot carry it, with the field at fault, or nothing. */
export function findContentViolation(
  channel: Channel,
  content: SendableContent,
): ContentViolation | undefined {
  if (!supportedTypes[channel].includes(content.type))
    return {
      field: 'content.type',
      message: `${channel} cannot carry ${content.type}; it carries ${supportedTypes[channel].join(', ')}`,
    }
  if (content.type === 'text')
    return toViolation('content.text.body', textLengthViolation(channel, content.text.body))
  if (content.type === 'media') return captionViolation(channel, content.media.caption)
  if (content.type !== 'rich') return undefined
  return channel === 'chatapp' ? chatappRichViolation(content.rich) : socialappRichViolation(content.rich)
}

function toViolation(field: string, message: string | undefined): ContentViolation | undefined {
  return message === undefined ? undefined : { field, message }
}

function captionViolation(channel: Channel, caption: string | undefined): ContentViolation | undefined {
  if (caption === undefined || channel !== 'socialapp') return undefined
  return toViolation(
    'content.media.caption',
    'socialapp sends media without a caption; send the text after it',
  )
}

type Rich = Extract<SendableContent, { type: 'rich' }>['rich']
const actions = 'content.rich.actions'

/** One kind of action to a card: up to three answers, or one address, form or list. */
function chatappRichViolation({ header, body, actions: given }: Rich): ContentViolation | undefined {
  const kind = given[0]!.type
  const other = given.findIndex(action => action.type !== kind)
  if (other > 0)
    return toViolation(`${actions}[${other}].type`, `chatapp takes one kind of action; this is not ${kind}`)
  const most = kind === 'reply' ? 3 : 1
  if (given.length > most) return toViolation(actions, `chatapp takes at most ${most} of type ${kind}`)
  if (kind !== 'list' && [...body.text].length > 1024)
    return toViolation('content.rich.body.text', 'chatapp takes at most 1024 characters')
  if (kind === 'list' && header?.type === 'media')
    return toViolation('content.rich.header', 'chatapp takes no media in the header of a list')
  return duplicateIdViolation(given) ?? rowCountViolation(given)
}

function rowCountViolation(given: Rich['actions']): ContentViolation | undefined {
  const rows = given.flatMap(action =>
    action.type === 'list' ? action.sections.flatMap(one => one.rows) : [],
  )
  return rows.length > 10
    ? toViolation(`${actions}[0].sections`, 'chatapp takes at most 10 rows in all')
    : undefined
}

/** Whoever answers is understood by the id of the answer. */
function duplicateIdViolation(given: Rich['actions']): ContentViolation | undefined {
  const ids = given.flatMap(action => {
    if (action.type === 'reply') return [action.id]
    return action.type === 'list' ? action.sections.flatMap(one => one.rows.map(row => row.id)) : []
  })
  return new Set(ids).size < ids.length ? toViolation(actions, 'two answers have the same id') : undefined
}

function socialappRichViolation(card: Rich): ContentViolation | undefined {
  const { header, body, footer, actions: given } = card
  const odd = given.findIndex(action => action.type === 'flow' || action.type === 'list')
  if (odd >= 0) return toViolation(`${actions}[${odd}].type`, 'socialapp takes actions of type reply and url')
  if (header?.type === 'media')
    return toViolation('content.rich.header', 'socialapp takes no media in a card')
  const isButtons = given.some(action => action.type === 'url')
  if (isButtons && given.length > 3)
    return toViolation(actions, 'socialapp takes at most 3 with a url among them')
  const text = [header?.text, body.text, footer?.text].filter(one => one !== undefined).join('\n\n')
  return (
    toViolation(
      'content.rich.body.text',
      textLengthViolation('socialapp', text, isButtons ? 640 : undefined),
    ) ?? duplicateIdViolation(given)
  )
}
