/** Edits a message: text, template, file or card. Incomplete messages are kept, and validation reports what is missing. */
import { useRef, useState } from 'react'
import { CardFields, cardTexts } from '../../campaigns/editor/content/card-fields.tsx'
import {
  type Content,
  type ContentDraft,
  type ContentKind,
  contentKinds,
  toContent,
  toDraft,
} from '../../campaigns/editor/content/content-draft.ts'
import { MediaFields } from '../../campaigns/editor/content/media-fields.tsx'
import { PlaceholderField } from '../../campaigns/editor/content/placeholder-field.tsx'
import { TemplateFields } from '../../campaigns/editor/content/template-fields.tsx'
import { placeReasons } from '../../templates/fields.ts'
import { Select } from '../../ui/controls/field.tsx'
import { isEqual } from '../model/merge.ts'
import type { Problem } from '../model/problems.ts'
import { describeReason } from '../problems/problem-texts.ts'
import styles from './fields.module.css'
import { type FieldProps, findMessage } from './schema.ts'
import { fieldTexts, labelProperty } from './texts.ts'

/** The content as it is, also while parts are missing. */
function toStored(draft: ContentDraft): unknown {
  const complete = toContent(draft)
  if (complete) return complete
  const { kind, text, template, media, card } = draft
  if (kind === 'template')
    return { type: 'template', template: { name: template.name, language: template.language } }
  if (kind === 'media') return { type: 'media', media: { mediaId: media.mediaId } }
  if (kind === 'card') {
    const actions = card.buttons.map(({ type, title, url }, i) =>
      type === 'url' ? { type, title, url } : { type, title, id: `button-${i + 1}` },
    )
    return { type: 'rich', rich: { body: { text: card.body }, actions } }
  }
  return { type: 'text', text: { body: text } }
}

/** A message that this editor would change by reading it, such as one with ids of buttons, is left alone. */
function readDraft(value: unknown): ContentDraft {
  try {
    const draft = toDraft((value ?? null) as Content | null)
    return value === undefined || isEqual(toStored(draft), value) ? draft : { ...draft, kind: 'other' }
  } catch {
    return { ...toDraft(null), kind: 'other' }
  }
}

export function ContentField({
  name,
  path,
  value,
  isRequired,
  problems,
  onChange,
  inboxId,
}: FieldProps & { inboxId: string | null }) {
  const [draft, setDraft] = useState(() => readDraft(value))
  const written = useRef(value)
  // Undo and other editors change the value too.
  if (!isEqual(written.current, value)) {
    written.current = value
    setDraft(readDraft(value))
  }
  const set = (change: Partial<ContentDraft>) => {
    const next = { ...draft, ...change }
    written.current = toStored(next)
    setDraft(next)
    onChange(written.current)
  }
  const isNone = !isRequired && value === undefined
  const own = isNone ? {} : findTextErrors(draft.kind, path, problems)
  const inTemplate = placeReasons(
    isNone || draft.kind !== 'template' ? [] : draft.template.fields,
    problems
      .filter(({ field }) => field.startsWith(`${path}.`))
      .map(problem => ({ path: problem.field, reason: describeReason(problem) })),
  )
  const choose = (kind: string) => {
    if (kind !== '') return set({ kind: kind as ContentKind })
    written.current = undefined
    onChange(undefined)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty(name)}</legend>
      <Select
        label={fieldTexts().contentKind}
        value={isNone ? '' : draft.kind}
        error={findOtherError(problems, path, [...Object.values(own), ...inTemplate.values()])}
        onChange={event => choose(event.target.value)}
      >
        {!isRequired && <option value="">{fieldTexts().noContent}</option>}
        {contentKinds.map(kind => (
          <option key={kind} value={kind}>
            {fieldTexts().contentKinds[kind]}
          </option>
        ))}
        {draft.kind === 'other' && <option value="other">{fieldTexts().contentKinds.other}</option>}
      </Select>
      {!isNone && (
        <KindFields draft={draft} inboxId={inboxId} errors={own} inTemplate={inTemplate} onChange={set} />
      )}
    </fieldset>
  )
}

type TextErrors = Partial<Record<'text' | (typeof cardTexts)[number], string | undefined>>

/** Returns the first problem of each text of the message, which is shown at the text. */
function findTextErrors(kind: ContentDraft['kind'], path: string, problems: readonly Problem[]): TextErrors {
  if (kind === 'text') return { text: findMessage(problems, `${path}.text`, true) }
  if (kind !== 'card') return {}
  return Object.fromEntries(
    cardTexts.map(name => [name, findMessage(problems, `${path}.rich.${name}`, true)]),
  )
}

/** Returns the first problem of the message that is not shown at one of its fields. */
function findOtherError(
  problems: readonly Problem[],
  path: string,
  reasons: readonly (string | undefined)[],
): string | undefined {
  const shown = new Set(reasons)
  return findMessage(
    problems.filter(problem => !shown.has(describeReason(problem))),
    path,
    true,
  )
}

interface KindFieldsProps {
  draft: ContentDraft
  inboxId: string | null
  errors: TextErrors
  /** By the key of the field of the template. */
  inTemplate: ReadonlyMap<string, string>
  onChange: (change: Partial<ContentDraft>) => void
}

function KindFields({ draft, inboxId, errors, inTemplate, onChange }: KindFieldsProps) {
  switch (draft.kind) {
    case 'text':
      return (
        <PlaceholderField
          label={fieldTexts().properties.text!}
          rows={4}
          maxLength={4_096}
          value={draft.text}
          hint={fieldTexts().placeholderHint}
          error={errors.text}
          onChange={text => onChange({ text })}
        />
      )
    case 'template':
      return (
        <TemplateFields
          inboxId={inboxId}
          template={draft.template}
          errors={inTemplate}
          onChange={template => onChange({ template })}
        />
      )
    case 'media':
      return (
        <MediaFields
          media={draft.media}
          onChange={media => onChange({ media: { ...draft.media, ...media } })}
        />
      )
    case 'card':
      return <CardFields card={draft.card} errors={errors} onChange={card => onChange({ card })} />
    default:
      return <p className={styles.muted}>{fieldTexts().otherContent}</p>
  }
}
