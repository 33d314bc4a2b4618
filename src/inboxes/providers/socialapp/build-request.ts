/** Converts messages to request bodies of the socialapp provider. */
import type { Content } from '../../content.ts'
import type { Json } from '../graph.ts'
import type { MediaFile, OutboundMessage } from '../provider.ts'

export function buildMessage(message: OutboundMessage): Json {
  const { to, commentId, content, media, messageId } = message
  return {
    recipient: commentId ? { comment_id: commentId } : { id: to },
    ...buildMessagingType(message),
    // Returned in the echo: identifies the send if its response was lost.
    message: { ...buildContent(content, media), metadata: messageId },
  }
}

/** After 24 hours only a human may write, for a week, with the HUMAN_AGENT tag. */
function buildMessagingType({ commentId, sentByHuman, outsideWindow }: OutboundMessage): Json {
  if (commentId) return {}
  return sentByHuman && outsideWindow
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

/** Joins header, body and footer. */
export function toPlainText({ header, body, footer }: Rich): string {
  const title = header?.type === 'text' ? [header.text] : []
  return [...title, body.text, ...(footer ? [footer.text] : [])].join('\n\n')
}

/** Replies only: quick replies below the message. With a url: a button template. */
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

/** Returns the text of the message as the provider's message list contains it. */
export function getListedText({ content }: OutboundMessage): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'rich' && content.rich.actions.every(action => action.type === 'reply'))
    return toPlainText(content.rich)
  return ''
}
