/** The templates and flows of a chat number, as the provider has them. */
import type { ReactNode } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { Status } from '../../ui/badge.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts } from './texts.ts'

const pageSize = 100

export function Catalogue({ inboxId }: { inboxId: string }) {
  const params = { path: { id: inboxId }, query: { pageSize } }
  const key = inboxId
  const templates = useLoaded(() => call(api.GET('/inboxes/{id}/chatapp/templates', { params })), { key })
  const flows = useLoaded(() => call(api.GET('/inboxes/{id}/chatapp/flows', { params })), { key })
  return (
    <>
      <Section title={texts().templates}>
        <Loaded state={templates}>
          {({ templates: items }) =>
            items.length === 0 ? (
              <p>{texts().noTemplates}</p>
            ) : (
              items.map(item => <Template key={item.id} template={item} />)
            )
          }
        </Loaded>
      </Section>
      <Section title={texts().flows}>
        <Loaded state={flows}>
          {({ flows: items }) =>
            items.length === 0 ? (
              <p>{texts().noFlows}</p>
            ) : (
              items.map(({ id, name, status, categories }) => (
                <Entry key={id} name={name} marks={[status]}>
                  <p>{categories.join(', ')}</p>
                  <p className={styles.code}>{id}</p>
                </Entry>
              ))
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

type TemplateComponent = Schemas['ChatappTemplate']['components'][number] & { buttons?: { text?: string }[] }

function Template({ template }: { template: Schemas['ChatappTemplate'] }) {
  const { name, language, status, category, components } = template
  return (
    <Entry name={name} marks={[language, status, category]}>
      {(components as TemplateComponent[]).map(({ type, text, buttons }) => (
        <div key={type} className={styles.name}>
          {text && (type === 'HEADER' ? <p>{text}</p> : <p className={styles.code}>{text}</p>)}
          {buttons?.map(button => (
            <Status key={button.text}>{button.text ?? type}</Status>
          ))}
        </div>
      ))}
    </Entry>
  )
}

/** A line that unfolds its preview. */
function Entry({ name, marks, children }: { name: string; marks: string[]; children: ReactNode }) {
  return (
    <details>
      <summary className={styles.name}>
        <ChevronDownIcon />
        {name}
        {marks.map(mark => (
          <Status key={mark}>{mark.toLowerCase()}</Status>
        ))}
      </summary>
      <div className={styles.card}>{children}</div>
    </details>
  )
}
