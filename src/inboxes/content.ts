/** Schemas of message content, as stored and as returned by the API. */
import Type, { type Static } from 'typebox'
import { AnyId, literals, named, object, Timestamp, variants } from '../platform/http/schemas.ts'

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const FileReference = object({
  mediaId: AnyId,
  caption: Type.Optional(Text(1024)),
  filename: Type.Optional(Text(240)),
})

const Parameter = named(
  'TemplateParameter',
  variants('type', [
    object({ type: Type.Literal('text'), text: Text(1024), name: Type.Optional(Text(100)) }),
    object({
      type: Type.Literal('currency'),
      currency: object({
        code: Type.String({ pattern: '^[A-Z]{3}$' }),
        amount1000: Type.Integer(),
        fallbackValue: Text(60),
      }),
    }),
    object({ type: Type.Literal('dateTime'), dateTime: object({ fallbackValue: Text(60) }) }),
    object({ type: Type.Literal('media'), media: object({ mediaId: AnyId }) }),
    object({
      type: Type.Literal('location'),
      location: object({
        latitude: Type.Number({ minimum: -90, maximum: 90 }),
        longitude: Type.Number({ minimum: -180, maximum: 180 }),
        name: Text(1000),
        address: Text(1000),
      }),
    }),
    object({ type: Type.Literal('payload'), payload: Text(256) }),
    object({ type: Type.Literal('coupon'), coupon: Text(15) }),
  ]),
)

const Component = object({
  type: literals(['header', 'body', 'button']),
  subType: Type.Optional(literals(['quick_reply', 'url', 'copy_code', 'flow'])),
  index: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  parameters: Type.Array(Parameter, { maxItems: 50 }),
})

const Action = named(
  'RichAction',
  variants('type', [
    object({ type: Type.Literal('reply'), id: Text(256), title: Text(20) }),
    object({
      type: Type.Literal('url'),
      title: Text(20),
      url: Type.String({
        maxLength: 2000,
        pattern: '^https?://',
        patternMessage: 'must begin with http:// or https://',
      }),
    }),
    object({
      type: Type.Literal('flow'),
      title: Text(30),
      flowId: Text(100),
      token: Type.Optional(Text(256)),
      screen: Type.Optional(Text(100)),
      data: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown())),
    }),
    object({
      type: Type.Literal('list'),
      title: Text(20),
      sections: Type.Array(
        object({
          title: Type.Optional(Text(24)),
          rows: Type.Array(object({ id: Text(200), title: Text(24), description: Type.Optional(Text(72)) }), {
            minItems: 1,
            maxItems: 10,
          }),
        }),
        { minItems: 1, maxItems: 10 },
      ),
    }),
  ]),
)

const textMembers = { body: Text(65_536) }
export const TextContent = object({ type: Type.Literal('text'), text: object(textMembers) })
const templateMembers = {
  name: Text(512),
  language: Text(20),
  components: Type.Optional(Type.Array(Component, { maxItems: 20 })),
}
export const TemplateContent = object({ type: Type.Literal('template'), template: object(templateMembers) })
export const MediaContent = object({ type: Type.Literal('media'), media: FileReference })
export const RichContent = object({
  type: Type.Literal('rich'),
  rich: object({
    header: named(
      'RichHeader',
      Type.Optional(
        variants('type', [
          object({ type: Type.Literal('text'), text: Text(60) }),
          object({ type: Type.Literal('media'), media: object({ mediaId: AnyId }) }),
        ]),
      ),
    ),
    body: object({ text: Text(4096) }),
    footer: Type.Optional(object({ text: Text(60) })),
    actions: Type.Array(Action, { minItems: 1, maxItems: 10 }),
  }),
})
export const ContactInfoRequest = object({
  type: Type.Literal('contactInfoRequest'),
  contactInfoRequest: object({ body: object({ text: Text(1024) }) }),
})

export const OutboundContent = named(
  'OutboundMessageContent',
  variants('type', [TextContent, TemplateContent, MediaContent, RichContent, ContactInfoRequest]),
)

/** Content types that only customers send. */
const inboundOnly = [
  object({
    type: Type.Literal('formResponse'),
    formResponse: object({
      flowToken: Type.Union([Type.String(), Type.Null()]),
      values: Type.Record(Type.String(), Type.Unknown()),
    }),
  }),
  object({
    type: Type.Literal('reply'),
    reply: object({ id: Type.String(), title: Type.String(), description: Type.Optional(Type.String()) }),
  }),
  object({
    type: Type.Literal('location'),
    location: object({
      latitude: Type.Number(),
      longitude: Type.Number(),
      name: Type.Optional(Type.String()),
      address: Type.Optional(Type.String()),
    }),
  }),
  object({
    type: Type.Literal('contacts'),
    contacts: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  }),
  object({ type: Type.Literal('unsupported'), unsupported: object({ reason: Type.String() }) }),
] as const

/** Properties that are set after a message was sent or received. */
const StoredText = object({
  type: Type.Literal('text'),
  text: object({
    ...textMembers,
    editedAt: Type.Optional({ ...Timestamp, description: 'extension: when the sender edited the text' }),
  }),
})
const StoredTemplate = object({
  type: Type.Literal('template'),
  template: object({
    ...templateMembers,
    renderedText: Type.Optional(
      Type.String({ description: 'extension: header, body and footer as the customer sees them' }),
    ),
  }),
})
const Deleted = object(
  { type: Type.Literal('deleted'), deleted: object({ at: Timestamp }) },
  { description: 'extension: the sender withdrew the message' },
)

export const MessageContent = named(
  'MessageContent',
  variants('type', [
    StoredText,
    StoredTemplate,
    MediaContent,
    RichContent,
    ContactInfoRequest,
    ...inboundOnly,
    Deleted,
  ]),
)
export type Content = Static<typeof MessageContent>
export type SendableContent = Static<typeof OutboundContent>

export interface MediaReference {
  field: string
  mediaId: string
}

export function listMediaReferences(content: Content): MediaReference[] {
  if (content.type === 'media') return [{ field: 'content.media.mediaId', mediaId: content.media.mediaId }]
  if (content.type === 'rich')
    return content.rich.header?.type === 'media'
      ? [{ field: 'content.rich.header.media.mediaId', mediaId: content.rich.header.media.mediaId }]
      : []
  if (content.type !== 'template') return []
  return (content.template.components ?? []).flatMap((component, i) =>
    component.parameters.flatMap((parameter, j) =>
      parameter.type === 'media'
        ? [
            {
              field: `content.template.components[${i}].parameters[${j}].media.mediaId`,
              mediaId: parameter.media.mediaId,
            },
          ]
        : [],
    ),
  )
}

/** Returns the values that a form was filled in with, as texts. */
export const listFormValues = ({ formResponse }: Extract<Content, { type: 'formResponse' }>): string[] =>
  Object.values(formResponse.values)
    .filter(value => value !== null && value !== '')
    .map(value => (typeof value === 'object' ? JSON.stringify(value) : String(value)))

/** Builds the one-line preview shown in conversation lists. */
export function buildPreview(content: Content): string {
  const text = previewText(content).replace(/\s+/g, ' ').trim()
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

function previewText(content: Content): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'media') return content.media.caption ?? content.media.filename ?? '[media]'
  if (content.type === 'template')
    return content.template.renderedText ?? `[template ${content.template.name}]`
  if (content.type === 'rich') return content.rich.body.text
  if (content.type === 'reply') return content.reply.title
  if (content.type === 'contactInfoRequest') return content.contactInfoRequest.body.text
  if (content.type === 'formResponse') return listFormValues(content).join(', ') || '[form]'
  return `[${content.type}]`
}
