/** Which channel carries which content, and how much of it. */
import type { Channel } from '../platform/channels.ts'
import type { Content, SendableContent } from './content.ts'

export interface Misfit {
  field: string
  message: string
}

const carries: Record<Channel, readonly Content['type'][]> = {
  chatapp: ['text', 'template', 'media', 'rich', 'contactInfoRequest'],
  socialapp: ['text', 'media', 'rich'],
  sms: ['text', 'media'],
}

const longestText: Record<Channel, number> = { chatapp: 4096, socialapp: 1000, sms: 1600 }

/** As the provider counts: the social one in bytes, the others in characters. */
function tooLong(channel: Channel, text: string, most = longestText[channel]): string | undefined {
  const length = channel === 'socialapp' ? Buffer.byteLength(text) : [...text].length
  const unit = channel === 'socialapp' ? 'bytes' : 'characters'
  return length > most ? `${channel} takes at most ${most} ${unit}` : undefined
}

/** Why this channel cannot carry it, with the field at fault, or nothing. */
export function misfit(channel: Channel, content: SendableContent): Misfit | undefined {
  if (!carries[channel].includes(content.type))
    return {
      field: 'content.type',
      message: `${channel} cannot carry ${content.type}; it carries ${carries[channel].join(', ')}`,
    }
  if (content.type === 'text') return fault('content.text.body', tooLong(channel, content.text.body))
  if (content.type === 'media') return captionMisfit(channel, content.media.caption)
  if (content.type !== 'rich') return undefined
  return channel === 'chatapp' ? chatappCard(content.rich) : socialappCard(content.rich)
}

function fault(field: string, message: string | undefined): Misfit | undefined {
  return message === undefined ? undefined : { field, message }
}

function captionMisfit(channel: Channel, caption: string | undefined): Misfit | undefined {
  if (caption === undefined || channel !== 'socialapp') return undefined
  return fault('content.media.caption', 'socialapp sends media without a caption; send the text after it')
}

type Rich = Extract<SendableContent, { type: 'rich' }>['rich']
const actions = 'content.rich.actions'

/** One kind of action to a card: up to three answers, or one address, form or list. */
function chatappCard({ header, body, actions: given }: Rich): Misfit | undefined {
  const kind = given[0]!.type
  const other = given.findIndex(action => action.type !== kind)
  if (other > 0)
    return fault(`${actions}[${other}].type`, `chatapp takes one kind of action; this is not ${kind}`)
  const most = kind === 'reply' ? 3 : 1
  if (given.length > most) return fault(actions, `chatapp takes at most ${most} of type ${kind}`)
  if (kind !== 'list' && [...body.text].length > 1024)
    return fault('content.rich.body.text', 'chatapp takes at most 1024 characters')
  if (kind === 'list' && header?.type === 'media')
    return fault('content.rich.header', 'chatapp takes no media in the header of a list')
  return repeatedId(given) ?? tooManyRows(given)
}

function tooManyRows(given: Rich['actions']): Misfit | undefined {
  const rows = given.flatMap(action =>
    action.type === 'list' ? action.sections.flatMap(one => one.rows) : [],
  )
  return rows.length > 10
    ? fault(`${actions}[0].sections`, 'chatapp takes at most 10 rows in all')
    : undefined
}

/** Whoever answers is understood by the id of the answer. */
function repeatedId(given: Rich['actions']): Misfit | undefined {
  const ids = given.flatMap(action => {
    if (action.type === 'reply') return [action.id]
    return action.type === 'list' ? action.sections.flatMap(one => one.rows.map(row => row.id)) : []
  })
  return new Set(ids).size < ids.length ? fault(actions, 'two answers have the same id') : undefined
}

function socialappCard(card: Rich): Misfit | undefined {
  const { header, body, footer, actions: given } = card
  const odd = given.findIndex(action => action.type === 'flow' || action.type === 'list')
  if (odd >= 0) return fault(`${actions}[${odd}].type`, 'socialapp takes actions of type reply and url')
  if (header?.type === 'media') return fault('content.rich.header', 'socialapp takes no media in a card')
  const isButtons = given.some(action => action.type === 'url')
  if (isButtons && given.length > 3) return fault(actions, 'socialapp takes at most 3 with a url among them')
  const text = [header?.text, body.text, footer?.text].filter(one => one !== undefined).join('\n\n')
  return (
    fault('content.rich.body.text', tooLong('socialapp', text, isButtons ? 640 : undefined)) ??
    repeatedId(given)
  )
}
