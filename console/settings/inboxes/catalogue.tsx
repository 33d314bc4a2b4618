/** The templates and flows of a chat number, as the provider has them. */
import { type ReactNode, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { ChevronDownIcon } from '../../ui/controls/icons.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { FlowPreview, TemplatePreview } from './preview.tsx'
import { texts } from './texts.ts'

const pageSize = 100

const toWords = (code: string) => code.replaceAll('_', ' ').toLowerCase()

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
              items.map(template => (
                <Entry
                  key={template.id}
                  name={template.name}
                  marks={[template.language, toWords(template.status), toWords(template.category)]}
                >
                  <TemplatePreview template={template} />
                </Entry>
              ))
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
                <Entry key={id} name={name} marks={[status, ...categories].map(toWords)}>
                  <FlowPreview inboxId={inboxId} flowId={id} />
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

/** A line that unfolds its preview, which is read when it is shown first. */
function Entry({ name, marks, children }: { name: string; marks: string[]; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <details onToggle={event => event.currentTarget.open && setOpened(true)}>
      <summary className={classNames(styles.name, styles.unfold)}>
        <ChevronDownIcon />
        {name}
        {marks.map(mark => (
          <Status key={mark}>{mark}</Status>
        ))}
      </summary>
      {wasOpened && <div className={styles.card}>{children}</div>}
    </details>
  )
}
