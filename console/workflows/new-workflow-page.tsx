/** Creates a journey or chatbot: a gallery of templates, then the name and what the chosen template needs. */
import { Link, useSearch } from '@tanstack/react-router'
import { useResource } from '../app/use-resource.ts'
import { language, t } from '../i18n/i18n.ts'
import { useScopes } from '../settings/common/tasks.ts'
import { PlusIcon } from '../ui/controls/icons.tsx'
import { BackLink } from '../ui/layout/back-link.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { TemplateForm } from './template-form.tsx'
import { texts } from './texts.ts'
import { Transcript } from './transcript.tsx'
import { fetchTemplates, type Kind, type Template } from './workflow-api.ts'
import styles from './workflows.module.css'

/** The template of the address without steps. */
const emptyId = 'empty'
const previewLines = 3

function NewWorkflowPage({ kind }: { kind: Kind }) {
  const can = useScopes()
  const { template: chosen }: { template?: string } = useSearch({ strict: false })
  const locale = language.get()
  const { data, error, reload } = useResource(`${kind} ${locale}`, () => fetchTemplates(kind, locale))
  const title = texts().kinds[kind].new
  const back = kind === 'journey' ? '/journeys' : '/chatbots'
  const to = kind === 'journey' ? '/journeys/new' : '/chatbots/new'
  const template = data?.find(({ id }) => id === chosen)
  const isChosen = template !== undefined || chosen === emptyId
  if (!can('journey:create'))
    return (
      <Page title={title} label={title}>
        <Empty title={t.forbidden} />
      </Page>
    )
  return (
    <Page
      title={title}
      label={title}
      actions={
        <BackLink to={isChosen ? to : back}>
          {isChosen ? texts().allTemplates : kind === 'journey' ? t.journeys : t.chatbots}
        </BackLink>
      }
    >
      {error !== undefined && !data && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={6} />}
      {data && !isChosen && <Gallery kind={kind} templates={data} />}
      {data && isChosen && (
        <div className={styles.columns}>
          <TemplateForm key={chosen} kind={kind} template={template} />
          {template && <About template={template} />}
        </div>
      )}
    </Page>
  )
}

function Gallery({ kind, templates }: { kind: Kind; templates: readonly Template[] }) {
  return (
    <ul className={styles.gallery} aria-label={texts().allTemplates}>
      {templates.map(({ id, name, category, description, parameters, preview }) => (
        <li key={id} className={styles.card}>
          <p className={styles.category}>{texts().categories[category]}</p>
          <h2 className={styles.heading}>
            <TemplateLink kind={kind} id={id} name={name} />
          </h2>
          <p>
            {description} <span className={styles.muted}>{describeNeeds(parameters)}</span>
          </p>
          <div className={styles.excerpt} aria-hidden="true">
            <Transcript lines={preview.slice(0, previewLines)} label={texts().preview} />
          </div>
        </li>
      ))}
      <li className={styles.card}>
        <h2 className={styles.heading}>
          <PlusIcon />
          <TemplateLink kind={kind} id={emptyId} name={texts().empty} />
        </h2>
        <p>{texts().kinds[kind].emptyHint}</p>
      </li>
    </ul>
  )
}

/** Names the resources that must exist or be created; texts and channels have defaults. */
function describeNeeds(parameters: Template['parameters']): string {
  const types = new Set(parameters.filter(({ required }) => required).map(({ type }) => texts().types[type]))
  return types.size === 0 ? '' : texts().needs([...types].join(', '))
}

function TemplateLink({ kind, id, name }: { kind: Kind; id: string; name: string }) {
  const to = kind === 'journey' ? '/journeys/new' : '/chatbots/new'
  return (
    <Link to={to} search={{ template: id }} className={styles.cover}>
      {name}
    </Link>
  )
}

function About({ template: { description, preview } }: { template: Template }) {
  return (
    <aside className={styles.about} aria-label={texts().preview}>
      <p>{description}</p>
      <Transcript lines={preview} label={texts().preview} />
      <p className={styles.muted}>{texts().ownText}</p>
    </aside>
  )
}

export const NewJourneyPage = () => <NewWorkflowPage key="journey" kind="journey" />
export const NewChatbotPage = () => <NewWorkflowPage key="chatbot" kind="chatbot" />
