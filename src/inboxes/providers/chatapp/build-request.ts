/** Converts messages and reactions to request bodies of the chatapp provider. */
import type { Content } from '../../content.ts'
import type { Json } from '../graph.ts'
import type { MediaFile, OutboundMessage, OutboundReaction } from '../provider.ts'

const buildRecipient = (to: string): Json => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  // Without the plus the provider may interpret the number in the sender's country.
  ...(to.startsWith('+') ? { to } : { recipient: to }),
})

/** An empty emoji removes the reaction. */
export function buildReaction({ to, channelMessageId, emoji = '' }: OutboundReaction): Json {
  return { ...buildRecipient(to), type: 'reaction', reaction: { message_id: channelMessageId, emoji } }
}

export function buildMessage(message: OutboundMessage, media: { id: string } | undefined): Json {
  return {
    ...buildRecipient(message.to),
    ...(message.replyTo ? { context: { message_id: message.replyTo } } : {}),
    // Returned in every status webhook: identifies the send if its response was lost.
    biz_opaque_callback_data: message.messageId,
    ...buildContent(message.content, toUpload(message.media, media)),
  }
}

interface Upload {
  id: string
  file: MediaFile
}

function toUpload(file: MediaFile | undefined, media: { id: string } | undefined): Upload | undefined {
  return file && media ? { file, id: media.id } : undefined
}

function buildMedia(upload: Upload | undefined): Json {
  if (!upload) throw new Error('the content references media but no file was attached')
  const { mediaType, filename } = upload.file
  return {
    type: mediaType,
    [mediaType]: { id: upload.id, ...(mediaType === 'document' ? { filename } : {}) },
  }
}

function buildContent(content: Content, upload: Upload | undefined): Json {
  if (content.type === 'text') return { type: 'text', text: { body: content.text.body, preview_url: true } }
  if (content.type === 'template')
    return { type: 'template', template: buildTemplate(content.template, upload) }
  if (content.type === 'media') return buildMediaMessage(content.media, upload)
  if (content.type === 'rich')
    return { type: 'interactive', interactive: buildInteractive(content.rich, upload) }
  if (content.type === 'contactInfoRequest') {
    const action = { name: 'request_contact_info' }
    return {
      type: 'interactive',
      interactive: { type: 'request_contact_info', body: content.contactInfoRequest.body, action },
    }
  }
  throw new Error(`${content.type} cannot be sent`)
}

function buildMediaMessage(given: { caption?: string; filename?: string }, upload: Upload | undefined): Json {
  const { type, ...rest } = buildMedia(upload)
  const mediaType = String(type)
  return {
    type,
    [mediaType]: {
      ...(rest[mediaType] as Json),
      ...(given.caption && mediaType !== 'audio' ? { caption: given.caption } : {}),
      ...(given.filename && mediaType === 'document' ? { filename: given.filename } : {}),
    },
  }
}

type TemplateContent = Extract<Content, { type: 'template' }>['template']
type Component = NonNullable<TemplateContent['components']>[number]

function buildTemplate(given: TemplateContent, upload: Upload | undefined): Json {
  const components = (given.components ?? []).map(component => ({
    type: component.type,
    ...(component.subType ? { sub_type: component.subType } : {}),
    ...(component.index === undefined ? {} : { index: String(component.index) }),
    parameters: component.parameters.map(parameter => buildParameter(parameter, upload)),
  }))
  return {
    name: given.name,
    language: { code: given.language },
    ...(components.length > 0 ? { components } : {}),
  }
}

function buildParameter(parameter: Component['parameters'][number], upload: Upload | undefined): Json {
  if (parameter.type === 'text')
    return {
      type: 'text',
      text: parameter.text,
      ...(parameter.name ? { parameter_name: parameter.name } : {}),
    }
  if (parameter.type === 'currency') {
    const { code, amount1000, fallbackValue } = parameter.currency
    return { type: 'currency', currency: { code, amount_1000: amount1000, fallback_value: fallbackValue } }
  }
  if (parameter.type === 'dateTime')
    return { type: 'date_time', date_time: { fallback_value: parameter.dateTime.fallbackValue } }
  if (parameter.type === 'media') return buildMedia(upload)
  if (parameter.type === 'location') return { type: 'location', location: parameter.location }
  if (parameter.type === 'payload') return { type: 'payload', payload: parameter.payload }
  return { type: 'coupon_code', coupon_code: parameter.coupon }
}

type Rich = Extract<Content, { type: 'rich' }>['rich']

function buildInteractive(rich: Rich, upload: Upload | undefined): Json {
  const frame = {
    ...(rich.header ? { header: rich.header.type === 'text' ? rich.header : buildMedia(upload) } : {}),
    body: { text: rich.body.text },
    ...(rich.footer ? { footer: { text: rich.footer.text } } : {}),
  }
  const first = rich.actions[0]!
  if (first.type === 'url')
    return {
      type: 'cta_url',
      ...frame,
      action: { name: 'cta_url', parameters: { display_text: first.title, url: first.url } },
    }
  if (first.type === 'list')
    return { type: 'list', ...frame, action: { button: first.title, sections: first.sections } }
  if (first.type === 'flow')
    return { type: 'flow', ...frame, action: { name: 'flow', parameters: buildFlow(first) } }
  const buttons = rich.actions.flatMap(action =>
    action.type === 'reply' ? [{ type: 'reply', reply: { id: action.id, title: action.title } }] : [],
  )
  return { type: 'button', ...frame, action: { buttons } }
}

function buildFlow(action: Extract<Rich['actions'][number], { type: 'flow' }>): Json {
  return {
    flow_message_version: '3',
    flow_id: action.flowId,
    flow_cta: action.title,
    flow_token: action.token ?? 'unused',
    flow_action: action.screen ? 'navigate' : 'data_exchange',
    ...(action.screen
      ? { flow_action_payload: { screen: action.screen, ...(action.data ? { data: action.data } : {}) } }
      : {}),
  }
}
