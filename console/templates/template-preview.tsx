/** The message as the customer will see it; a placeholder without a value stays visible. */
import { LocationView, MediaView } from '../inbox/thread/messages/content.tsx'
import {
  type FilledField,
  getButtons,
  getText,
  readLocation,
  type Template,
  type TemplateField,
  toKey,
} from './fields.ts'
import styles from './templates.module.css'
import { texts } from './texts.ts'

interface TemplatePreviewProps {
  template: Template
  fields: readonly FilledField[]
}

export function TemplatePreview({ template, fields }: TemplatePreviewProps) {
  const values = new Map(fields.map(field => [toKey(field), field.value]))
  const fill = (part: TemplateField['part'], text: string) =>
    text.replace(
      /\{\{\s*(\w+)\s*\}\}/g,
      (whole, name: string) => values.get(toKey({ part, kind: 'text', name })) || whole,
    )
  const mediaId = fields.find(({ kind }) => kind === 'file')?.value
  const location = readLocation(fields)
  const [header, body, footer] = (['header', 'body', 'footer'] as const).map(part => getText(template, part))
  return (
    <figure className={styles.preview} aria-label={texts().preview}>
      {mediaId && <MediaView key={mediaId} mediaId={mediaId} />}
      {location && <LocationView {...location} />}
      {header && <p className={styles.header}>{fill('header', header)}</p>}
      {body && <p>{fill('body', body)}</p>}
      {footer && <p className={styles.muted}>{footer}</p>}
      {getButtons(template).map(({ type, text = type === 'COPY_CODE' ? texts().copyCode : type }) => (
        <p key={`${type} ${text}`} className={styles.choice}>
          {text}
        </p>
      ))}
    </figure>
  )
}
