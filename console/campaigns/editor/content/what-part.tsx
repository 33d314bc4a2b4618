/** The message of the campaign. */
import type { Violation } from '../../../api/errors.ts'
import { t } from '../../../i18n/i18n.ts'
import { placeReasons } from '../../../templates/fields.ts'
import { Select } from '../../../ui/controls/field.tsx'
import styles from '../../campaigns.module.css'
import { Part } from '../part.tsx'
import { texts } from '../texts.ts'
import type { Draft } from '../use-draft.ts'
import { CardFields } from './card-fields.tsx'
import { type ContentDraft, type ContentKind, contentKinds, toContent } from './content-draft.ts'
import { MediaFields } from './media-fields.tsx'
import { PlaceholderField } from './placeholder-field.tsx'
import { TemplateFields } from './template-fields.tsx'

interface WhatPartProps {
  draft: Draft
  violations: readonly Violation[]
}

export function WhatPart({ draft: { values, change }, violations }: WhatPartProps) {
  const { content, inboxId } = values
  const set = (changed: Partial<ContentDraft>) => change({ content: { ...content, ...changed } })
  const isIncomplete = content.kind !== 'other' && content.kind !== 'text' && toContent(content) === null
  return (
    <Part id="what" violations={violations}>
      <Select
        label={texts().kind}
        value={content.kind}
        onChange={event => set({ kind: event.target.value as ContentKind })}
      >
        {contentKinds.map(kind => (
          <option key={kind} value={kind}>
            {texts().kinds[kind]}
          </option>
        ))}
        {content.kind === 'other' && <option value="other">{texts().kinds.other}</option>}
      </Select>
      {content.kind === 'text' && (
        <PlaceholderField
          label={texts().text}
          rows={6}
          maxLength={4_096}
          value={content.text}
          hint={texts().placeholderHint}
          onChange={text => set({ text })}
        />
      )}
      {content.kind === 'template' && (
        <TemplateFields
          inboxId={inboxId}
          template={content.template}
          errors={placeReasons(
            content.template.fields,
            violations.map(violation => ({ path: violation.field, reason: t.describeReason(violation) })),
          )}
          onChange={template => set({ template })}
        />
      )}
      {content.kind === 'media' && (
        <MediaFields
          media={content.media}
          onChange={media => set({ media: { ...content.media, ...media } })}
        />
      )}
      {content.kind === 'card' && <CardFields card={content.card} onChange={card => set({ card })} />}
      {content.kind === 'other' && <p>{texts().otherContent}</p>}
      {isIncomplete && <p className={styles.muted}>{texts().incomplete}</p>}
    </Part>
  )
}
