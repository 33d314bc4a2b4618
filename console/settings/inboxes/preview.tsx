/** Shows templates and flows in the shape of a phone, as customers see them. Nothing in it can be operated. */
import type { ReactNode } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { DocumentIcon, type Icon, LinkIcon, MapPinIcon, ReplyIcon } from '../../ui/controls/icons.tsx'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from './preview.module.css'
import { texts } from './texts.ts'

function Phone({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <figure className={styles.phone} aria-label={label}>
      {title && <figcaption className={styles.title}>{title}</figcaption>}
      {children}
    </figure>
  )
}

type Component = Schemas['ChatappTemplate']['components'][number] & {
  format?: string
  buttons?: { type?: string; text?: string }[]
}

const mediaIcons: Record<string, Icon> = { LOCATION: MapPinIcon }
const buttonIcons: Record<string, Icon> = { URL: LinkIcon, QUICK_REPLY: ReplyIcon }

export function TemplatePreview({ template }: { template: Schemas['ChatappTemplate'] }) {
  const find = (type: string) =>
    (template.components as Component[]).find(component => component.type.toUpperCase() === type)
  const [header, body, footer, buttons] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].map(find)
  const format = header?.format?.toUpperCase() ?? 'TEXT'
  const HeaderIcon = mediaIcons[format] ?? DocumentIcon
  return (
    <Phone label={texts().previewOf(template.name)}>
      <div className={styles.bubble}>
        {header && format !== 'TEXT' && (
          <p className={styles.media}>
            <HeaderIcon />
            {texts().headers[format] ?? format.toLowerCase()}
          </p>
        )}
        {header?.text && <p className={styles.strong}>{header.text}</p>}
        {body?.text && <p>{body.text}</p>}
        {footer?.text && <p className={styles.muted}>{footer.text}</p>}
        {(buttons?.buttons ?? []).map(({ type = '', text = type }) => {
          const ButtonIcon = buttonIcons[type]
          return (
            <p key={`${type} ${text}`} className={styles.link}>
              {ButtonIcon && <ButtonIcon />}
              {text}
            </p>
          )
        })}
      </div>
    </Phone>
  )
}

export function FlowPreview({ inboxId, flowId }: { inboxId: string; flowId: string }) {
  const params = { path: { id: inboxId, flowId } }
  const state = useLoaded(() => call(api.GET('/inboxes/{id}/chatapp/flows/{flowId}/preview', { params })), {
    key: flowId,
  })
  return (
    <Loaded state={state}>
      {({ screens }) =>
        screens.length === 0 ? (
          <p className={styles.muted}>{texts().noScreens}</p>
        ) : (
          <ol className={styles.screens}>
            {screens.map(({ id, title, parts }, i) => (
              <li key={id}>
                <Phone
                  label={texts().screenOf(i + 1, screens.length)}
                  title={`${i + 1}/${screens.length} · ${title || id}`}
                >
                  {parts.map((part, position) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a flow do not change
                    <Part key={position} part={part} />
                  ))}
                </Phone>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}

function Part({ part }: { part: Schemas['FlowPart'] }) {
  const { kind, text, options } = part
  switch (kind) {
    case 'heading':
      return <p className={styles.strong}>{text}</p>
    case 'caption':
      return <p className={styles.muted}>{text}</p>
    case 'image':
      return (
        <p className={styles.media}>
          <DocumentIcon />
          {text || texts().headers.IMAGE}
        </p>
      )
    case 'link':
      return <p className={styles.link}>{text}</p>
    case 'button':
      return <p className={styles.button}>{text}</p>
    case 'check':
      return <p className={styles.check}>{text}</p>
    case 'choice':
      return (
        <div>
          <Label part={part} />
          <ul>
            {options.map(option => (
              <li key={option} className={styles.option}>
                {option}
              </li>
            ))}
          </ul>
        </div>
      )
    case 'text':
      return <p>{text}</p>
    default:
      return (
        <div>
          <Label part={part} />
          <p className={styles.field}>{texts().fieldKinds[kind]}</p>
        </div>
      )
  }
}

function Label({ part: { text, hint, isRequired } }: { part: Schemas['FlowPart'] }) {
  return (
    <>
      <p>
        {text}
        {!isRequired && <span className={styles.muted}> · {texts().optional}</span>}
      </p>
      {hint && <p className={styles.muted}>{hint}</p>}
    </>
  )
}
