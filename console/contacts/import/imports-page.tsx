/** Chooses a file and what its columns become, and lists the earlier imports. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { formatNumber, formatWhen } from '../../i18n/format.ts'
import segments from '../../segments/segments.module.css'
import { Status } from '../../ui/controls/badge.tsx'
import field from '../../ui/controls/field.module.css'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { describeRefusal, Failure } from '../../ui/layout/state-view.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import contacts from '../contacts.module.css'
import { PagedList } from '../page/paged-list.tsx'
import { usePaged } from '../page/use-paged.ts'
import styles from './import.module.css'
import { MappingStep } from './mapping-step.tsx'
import { texts } from './texts.ts'
import { readFile, wizard } from './wizard.ts'

export function ImportsPage() {
  const current = useStore(wizard)
  const back = <BackLink to="/contacts">{texts().contacts}</BackLink>
  return (
    <Page title={texts().imports} label={texts().imports} actions={back}>
      {hasScope('contact:create') && (current ? <MappingStep wizard={current} /> : <FileStep />)}
      <Imports />
    </Page>
  )
}

function FileStep() {
  const [problem, setProblem] = useState<ApiError>()
  const [isReading, setReading] = useState(false)
  const choose = async (file: File | undefined) => {
    if (!file) return
    setProblem(undefined)
    setReading(true)
    try {
      await readFile(file)
    } catch (error) {
      setProblem(ApiError.from(error))
      setReading(false)
    }
  }
  return (
    <label ref={useKeptFocus<HTMLLabelElement>()} className={contacts.form}>
      <strong>{texts().chooseFile}</strong>
      <input
        type="file"
        className={field.input}
        accept=".csv,.txt,.tsv,text/csv"
        onChange={event => {
          void choose(event.target.files?.[0])
          // The same file can be chosen again after it was corrected.
          event.target.value = ''
        }}
      />
      <span className={contacts.muted}>{isReading ? texts().reading : texts().fileHint}</span>
      {problem && (
        <span role="alert">
          {texts().fileFailed} {describeRefusal(problem)}
        </span>
      )}
    </label>
  )
}

type Summary = Schemas['ContactImportSummary']

function Imports() {
  const list = usePaged<Summary>(
    'imports',
    async pageToken => {
      const query = pageToken ? { pageToken } : {}
      const page = await call(api.GET('/contacts/imports', { params: { query } }))
      return { items: page.imports, next: page.nextPageToken }
    },
    ({ type, data }) => type === 'changed' && data.kind === 'import',
  )
  if (!hasScope('contact:list')) return <Failure error={new ApiError(403, { code: 'contact:list' })} />
  return (
    <section className={classNames(contacts.form, styles.earlier)} aria-label={texts().list}>
      <h2>{texts().list}</h2>
      <PagedList
        label={texts().list}
        empty={texts().none}
        list={list}
        render={item => <ImportRow key={item.importId} item={item} />}
      />
    </section>
  )
}

function ImportRow({ item }: { item: Summary }) {
  const { importId, filename, status, dryRun, createdAt, successCount, failedCount } = item
  return (
    <li className={segments.row}>
      <Link to="/contacts/import/$importId" params={{ importId }}>
        {filename}
      </Link>
      <span>{formatWhen(createdAt)}</span>
      <span className={contacts.line}>
        <Status>{texts().statuses[status]}</Status>
        {dryRun && <Status>{texts().dryRun}</Status>}
        {status === 'failed'
          ? texts().failed
          : texts().summary(formatNumber(successCount), formatNumber(failedCount))}
      </span>
    </li>
  )
}
