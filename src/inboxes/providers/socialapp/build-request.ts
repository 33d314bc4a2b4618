/** Our content in the social provider's words. */
import type { Content } from '../../content.ts'
import type { MediaFile, OutboundMessage } from '../../provider.ts'
import type { Json } from '../graph.ts'

export function buildMessage(outgoing: OutboundMessage): Json {
  const { to, commentId, content, media, messageId } = outgoing
  return {
    recipient: commentId ? { comment_id: commentId } : { id: to },
    ...buildMessagingType(outgoing),
    // Our id comes back with the echo: evidence that a send whose answer was lost did arrive.
    message: { ...buildContent(content, media), metadata: messageId },
  }
}

/** After the usual day only a person may write, for a week, and must say so. */
function buildMessagingType({ commentId, sentByHuman: byPerson, outsideWindow }: OutboundMessage): Json {
  if (commentId) return {}
  return byPerson && outsideWindow
    ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
    : { messaging_type: 'RESPONSE' }
}

const attachmentTypes = { image: 'image', video: 'video', audio: 'audio', document: 'file' } as const

function buildContent(content: Content, media: MediaFile | undefined): Json {
  if (content.type === 'text') return { text: content.text.body }
  if (content.type === 'media')
    return { attachment: { type: attachmentTypes[media!.mediaType], payload: { url: media!.url } } }
  if (content.type === 'rich') return buildRich(content.rich)
  throw new Error(`${content.type} cannot be sent`)
}

type Rich = Extract<Content, { type: 'rich' }>['rich']

/** The text a card comes to where there are no cards. */
export function toPlainText({ header, body, footer }: Rich): string {
  const title = header?.type === 'text' ? [header.text] : []
  return [...title, body.text, ...(footer ? [footer.text] : [])].join('\n\n')
}

/** Answers to choose from stand under the message; with an address among them, they are buttons in it. */
function buildRich(card: Rich): Json {
  const text = toPlainText(card)
  if (card.actions.every(action => action.type === 'reply'))
    return {
      text,
      quick_replies: card.actions.map(({ title, id }) => ({ content_type: 'text', title, payload: id })),
    }
  return {
    attachment: {
      type: 'template',
      payload: { template_type: 'button', text, buttons: card.actions.map(buildButton) },
    },
  }
}

function buildButton(action: Rich['actions'][number]): Json {
  if (action.type === 'url') return { type: 'web_url', title: action.title, url: action.url }
  if (action.type === 'reply') return { type: 'postback', title: action.title, payload: action.id }
  throw new Error(`an action of type ${action.type} cannot be sent`)
}

/** What the message says, as the provider's list of messages shows it. */
export function getListedText({ content }: OutboundMessage): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'rich' && content.rich.actions.every(action => action.type === 'reply'))
    return toPlainText(content.rich)
  return ''
}
