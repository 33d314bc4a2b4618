/** Shows the content of a message by its type. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../../api/client.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { screenTexts, t } from '../../../i18n/i18n.ts'
import { DocumentIcon, MapPinIcon } from '../../../ui/controls/icons.tsx'
import styles from '../thread.module.css'
import { toFormValue } from './form-value.ts'
import { LongText } from './long-text.tsx'
import { describeSharedContact } from './shared-contact.ts'

export type Content = Schemas['MessageContent'] | Schemas['OutboundMessageContent']

export function ContentView({ content }: { content: Content }) {
  switch (content.type) {
    case 'text':
      return <LongText text={content.text.body} />
    case 'media':
      return <MediaView {...content.media} />
    case 'template':
      return <TemplateView {...content.template} />
    case 'rich':
      return <RichView rich={content.rich} />
    case 'reply':
      return <span className={styles.choice}>{content.reply.title}</span>
    case 'location':
      return <LocationView {...content.location} />
    case 'formResponse':
      return <Facts values={content.formResponse.values} />
    case 'contacts':
      return <SharedContacts contacts={content.contacts} />
    case 'contactInfoRequest':
      return <LongText text={content.contactInfoRequest.body.text} />
    case 'deleted':
      return <em className={styles.muted}>{t.messageDeleted}</em>
    default:
      return <em className={styles.muted}>{t.unsupportedMessage}</em>
  }
}

type TemplateMembers = Schemas['MessageContentTemplate']['template']

function TemplateView({ name, components = [], renderedText }: TemplateMembers) {
  const [header] = components.find(({ type }) => type === 'header')?.parameters ?? []
  return (
    <>
      {header?.type === 'media' && <MediaView mediaId={header.media.mediaId} />}
      {header?.type === 'location' && <LocationView {...header.location} />}
      {renderedText ? <LongText text={renderedText} /> : t.template(name)}
    </>
  )
}

/** A file that a customer sent is fetched in the background: asks again until it is ready. */
function useMedia(mediaId: string): Schemas['Media'] | undefined {
  const [media, setMedia] = useState<Schemas['Media']>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isStopped = false
    const load = async (delayMs: number) => {
      const found = await call(api.GET('/media/{mediaId}', { params: { path: { mediaId } } })).catch(
        () => undefined,
      )
      if (isStopped) return
      if (found) setMedia(found)
      if (!found?.ready && !found?.error) timer = setTimeout(load, delayMs, Math.min(30_000, delayMs * 2))
    }
    void load(1_000)
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [mediaId])
  return media
}

export function MediaView({
  mediaId,
  caption,
  filename,
}: {
  mediaId: string
  caption?: string
  filename?: string
}) {
  const media = useMedia(mediaId)
  return (
    <>
      <MediaBody media={media} name={filename ?? media?.filename ?? t.file} />
      {caption && (
        <p>
          <LongText text={caption} />
        </p>
      )}
    </>
  )
}

function MediaBody({ media, name }: { media: Schemas['Media'] | undefined; name: string }) {
  if (media?.error) return <em className={styles.muted}>{t.fileFailed(media.error.message)}</em>
  if (!media?.ready || !media.url) return <span className={styles.muted}>{t.fileLoading}</span>
  if (media.mediaType === 'image')
    return (
      <a href={media.url} target="_blank" rel="noreferrer noopener">
        <img className={styles.image} src={media.thumbnailUrl ?? media.url} alt={t.imageNamed(name)} />
      </a>
    )
  // biome-ignore lint/a11y/useMediaCaption: customers send recordings without captions
  if (media.mediaType === 'audio') return <audio controls src={media.url} aria-label={name} />
  if (media.mediaType === 'video')
    // biome-ignore lint/a11y/useMediaCaption: customers send recordings without captions
    return <video className={styles.image} controls src={media.url} aria-label={name} />
  return (
    <a className={styles.file} href={media.url} target="_blank" rel="noreferrer noopener">
      <DocumentIcon />
      {name}
      {media.fileSize !== undefined && <span className={styles.muted}>{formatBytes(media.fileSize)}</span>}
    </a>
  )
}

type RichAction = Schemas['RichAction']

function RichView({ rich }: { rich: Schemas['MessageContentRich']['rich'] }) {
  const { header, body, footer, actions } = rich
  return (
    <>
      {header?.type === 'text' && <strong>{`${header.text}\n`}</strong>}
      {header?.type === 'media' && <MediaView mediaId={header.media.mediaId} />}
      <LongText text={body.text} />
      {footer && <p className={styles.muted}>{footer.text}</p>}
      <ul className={styles.buttons}>
        {actions.map(action => (
          <li key={action.title}>
            <ActionView action={action} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** A button as the customer sees it; links can be opened, lists show their rows. */
function ActionView({ action }: { action: RichAction }) {
  if (action.type === 'url')
    return (
      <a className={styles.choice} href={action.url} target="_blank" rel="noreferrer noopener">
        {action.title}
      </a>
    )
  if (action.type !== 'list') return <span className={styles.choice}>{action.title}</span>
  return (
    <details>
      <summary className={styles.choice}>{action.title}</summary>
      {action.sections.map(({ title, rows }, position) => (
        <ul key={title ?? position} className={styles.rows} aria-label={title}>
          {title && <li className={styles.rowsTitle}>{title}</li>}
          {rows.map(row => (
            <li key={row.id}>
              {row.title}
              {row.description && <span className={styles.muted}> · {row.description}</span>}
            </li>
          ))}
        </ul>
      ))}
    </details>
  )
}

function SharedContacts({ contacts }: Pick<Schemas['MessageContentContacts'], 'contacts'>) {
  const described = contacts.map(describeSharedContact).filter(text => text !== '')
  return (
    <>
      {t.sharedContacts(contacts.length)}
      {described.length > 0 && (
        <ul className={styles.rows}>
          {described.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </>
  )
}

export function LocationView({
  latitude,
  longitude,
  name,
  address,
}: Schemas['MessageContentLocation']['location']) {
  return (
    <span className={styles.file}>
      <MapPinIcon />
      {[name, address, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`].filter(Boolean).join(' · ')}
    </span>
  )
}

/** Of the fields that visitors of a website are asked for. */
const labels = screenTexts(
  { name: 'Name', email: 'E-mail', phone: 'Phone number' },
  { name: 'Name', email: 'E-Mail', phone: 'Telefonnummer' },
)

function Facts({ values }: { values: Record<string, unknown> }) {
  return (
    <dl className={styles.facts}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt className={styles.muted}>{(labels() as Record<string, string>)[name] ?? name}</dt>
          <dd>{toFormValue(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
