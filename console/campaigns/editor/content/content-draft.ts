/** The message while it is written. Each kind keeps its fields, so that trying another kind loses nothing. */
import type { Schemas } from '../../../api/client.ts'
import { type FilledField, readFields, toContent as toTemplateContent } from '../../../templates/fields.ts'

export type Content = Schemas['OutboundMessageContent']
type RichAction = Schemas['RichAction']

export const contentKinds = ['text', 'template', 'media', 'card'] as const
export type ContentKind = (typeof contentKinds)[number]

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
  template: { name: string; language: string; fields: readonly FilledField[] }
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
  if (content.type === 'template') {
    const { name, language } = content.template
    const fields = readFields(content.template)
    return fields
      ? { ...draft, kind: 'template', template: { name, language, fields } }
      : { ...draft, kind: 'other' }
  }
  if (content.type === 'rich') return toCardDraft(draft, content.rich)
  return { ...draft, kind: 'other' }
}

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
  if (kind === 'template') return template.name === '' ? null : toTemplateContent(template, template.fields)
  if (kind === 'media') {
    const caption = media.caption.trim() === '' ? {} : { caption: media.caption }
    return media.mediaId === '' ? null : { type: 'media', media: { mediaId: media.mediaId, ...caption } }
  }
  return kind === 'card' ? toCardContent(draft.card) : null
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
