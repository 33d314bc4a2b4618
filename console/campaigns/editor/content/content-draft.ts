/** The message while it is written. Each kind keeps its fields, so that trying another kind loses nothing. */
import type { Schemas } from '../../../api/client.ts'

export type Content = Schemas['OutboundMessageContent']
export type Template = Schemas['ChatappTemplate']
type RichAction = Schemas['RichAction']

export const contentKinds = ['text', 'template', 'media', 'card'] as const
export type ContentKind = (typeof contentKinds)[number]

/** A placeholder of a template: of its header, its body, or the address of a button. */
export interface TemplateField {
  part: 'header' | 'body' | 'button'
  /** The name or number in the template; of a button its position. */
  name: string
  value: string
}

export interface CardButton {
  key: string
  type: 'reply' | 'url'
  title: string
  url: string
}

export interface ContentDraft {
  /** `other`: a message that this editor cannot change. */
  kind: ContentKind | 'other'
  text: string
  template: { name: string; language: string; fields: readonly TemplateField[] }
  media: { mediaId: string; caption: string }
  card: { header: string; body: string; footer: string; buttons: readonly CardButton[] }
}

export const newButton = (values: Partial<CardButton> = {}): CardButton => ({
  key: crypto.getRandomValues(new Uint32Array(2)).join('-'),
  type: 'reply',
  title: '',
  url: '',
  ...values,
})

const emptyDraft = (): ContentDraft => ({
  kind: 'text',
  text: '',
  template: { name: '', language: '', fields: [] },
  media: { mediaId: '', caption: '' },
  card: { header: '', body: '', footer: '', buttons: [newButton()] },
})

export function toDraft(content: Content | null): ContentDraft {
  const draft = emptyDraft()
  if (content === null) return draft
  if (content.type === 'text') return { ...draft, text: content.text.body }
  if (content.type === 'media') {
    const { mediaId, caption = '' } = content.media
    return { ...draft, kind: 'media', media: { mediaId, caption } }
  }
  if (content.type === 'template') return toTemplateDraft(draft, content.template)
  if (content.type === 'rich') return toCardDraft(draft, content.rich)
  return { ...draft, kind: 'other' }
}

type TemplateContent = Schemas['OutboundMessageContentTemplate']['template']

function toTemplateDraft(draft: ContentDraft, template: TemplateContent): ContentDraft {
  const { name, language, components = [] } = template
  const parameters = components.flatMap(component => component.parameters)
  if (parameters.some(({ type }) => type !== 'text')) return { ...draft, kind: 'other' }
  const fields = components.flatMap(({ type, index, parameters }) =>
    parameters.map((parameter, position) => ({
      part: type,
      name: type === 'button' ? String(index ?? 0) : toName(parameter, position),
      value: toText(parameter),
    })),
  )
  return { ...draft, kind: 'template', template: { name, language, fields } }
}

type Parameter = Schemas['TemplateParameter']
const toName = (parameter: Parameter, position: number) =>
  'name' in parameter && parameter.name ? parameter.name : String(position + 1)
const toText = (parameter: Parameter) => ('text' in parameter ? parameter.text : '')

type RichContent = Schemas['OutboundMessageContentRich']['rich']

function toCardDraft(draft: ContentDraft, { header, body, footer, actions }: RichContent): ContentDraft {
  const isKnown = actions.every(({ type }) => type === 'reply' || type === 'url')
  if (header?.type === 'media' || !isKnown) return { ...draft, kind: 'other' }
  const buttons = actions.map(action =>
    action.type === 'url'
      ? newButton({ type: 'url', title: action.title, url: action.url })
      : newButton({ title: action.title }),
  )
  const card = { header: header?.text ?? '', body: body.text, footer: footer?.text ?? '', buttons }
  return { ...draft, kind: 'card', card }
}

/** Returns null while a part that the service requires is missing. */
export function toContent(draft: ContentDraft): Content | null {
  const { kind, text, template, media } = draft
  if (kind === 'text') return text.trim() === '' ? null : { type: 'text', text: { body: text } }
  if (kind === 'template') return template.name === '' ? null : toTemplateContent(template)
  if (kind === 'media') {
    const caption = media.caption.trim() === '' ? {} : { caption: media.caption }
    return media.mediaId === '' ? null : { type: 'media', media: { mediaId: media.mediaId, ...caption } }
  }
  return kind === 'card' ? toCardContent(draft.card) : null
}

/** A component is left out until all its values are known: positions must not shift. */
function toTemplateContent({ name, language, fields }: ContentDraft['template']): Content {
  const toKey = ({ part, name }: TemplateField) => (part === 'button' ? `button ${name}` : part)
  const components = [...new Set(fields.map(toKey))].flatMap(key => {
    const group = fields.filter(field => toKey(field) === key)
    if (group.some(({ value }) => value.trim() === '')) return []
    const { part, name: index } = group[0]!
    const parameters = group.map(field => ({
      type: 'text' as const,
      text: field.value.trim(),
      ...(part === 'button' || /^\d+$/.test(field.name) ? {} : { name: field.name }),
    }))
    const button = part === 'button' ? { subType: 'url' as const, index: Number(index) } : {}
    return [{ type: part, ...button, parameters }]
  })
  return { type: 'template', template: { name, language, ...(components.length > 0 ? { components } : {}) } }
}

function toCardContent({ header, body, footer, buttons }: ContentDraft['card']): Content | null {
  const isComplete = buttons.every(({ type, title, url }) => title.trim() && (type === 'reply' || url.trim()))
  if (body.trim() === '' || buttons.length === 0 || !isComplete) return null
  const actions = buttons.map(
    ({ type, title, url }, position): RichAction =>
      type === 'url'
        ? { type, title: title.trim(), url: url.trim() }
        : { type, title: title.trim(), id: `button-${position + 1}` },
  )
  return {
    type: 'rich',
    rich: {
      ...(header.trim() ? { header: { type: 'text' as const, text: header } } : {}),
      body: { text: body },
      ...(footer.trim() ? { footer: { text: footer } } : {}),
      actions,
    },
  }
}
