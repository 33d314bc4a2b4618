/** The progress and the result of an import or of the check of a file. */
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { formatNumber } from '../../i18n/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { describe, Failure, Loading } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import contacts from '../contacts.module.css'
import styles from './import.module.css'
import { ImportErrors } from './import-errors.tsx'
import { texts } from './texts.ts'
import { useImport } from './use-import.ts'
import { startImport, wizard } from './wizard.ts'

type Progress = Schemas['ContactImport']
type Summary = Schemas['ContactImportSummary']

export function ImportPage() {
  const { importId } = useParams({ from: '/contacts/import/$importId' })
  return <ImportView key={importId} importId={importId} />
}

function ImportView({ importId }: { importId: string }) {
  const { progress, summary, error, isFinished } = useImport(importId)
  const back = <BackLink to="/contacts/import">{texts().imports}</BackLink>
  return (
    <Page title={summary?.filename ?? texts().imports} label={texts().imports} actions={back}>
      {error ? (
        <Failure error={error} />
      ) : !progress ? (
        <Loading rows={4} />
      ) : (
        <>
          {isFinished ? (
            <Result progress={progress} summary={summary} />
          ) : (
            <Running progress={progress} isDryRun={summary?.dryRun === true} />
          )}
          {progress.errors.length > 0 && <ImportErrors progress={progress} />}
        </>
      )}
    </Page>
  )
}

function Running({ progress, isDryRun }: { progress: Progress; isDryRun: boolean }) {
  const { status, totalRows, successCount, failedCount } = progress
  const done = successCount + failedCount
  const label = isDryRun ? texts().checking : texts().importing
  return (
    <div className={contacts.form}>
      <p role="status">
        {label}: {texts().statuses[status]} · {texts().rowsDone(formatNumber(done), formatNumber(totalRows))}
      </p>
      <progress className={styles.progress} aria-label={label} value={done} max={totalRows || 1} />
      <p className={contacts.muted}>{texts().leave}</p>
    </div>
  )
}

function Result({ progress, summary }: { progress: Progress; summary: Summary | undefined }) {
  const { status, successCount, failedCount } = progress
  const isDryRun = summary?.dryRun === true
  const created = summary?.createdCount ?? 0
  const figures: [string, number][] = isDryRun
    ? [
        [texts().valid, successCount],
        [texts().newContacts, created],
        [texts().updates, successCount - created],
        [texts().invalid, failedCount],
      ]
    : [
        [texts().imported, successCount],
        [texts().created, created],
        [texts().updated, successCount - created],
        [texts().failedRows, failedCount],
      ]
  return (
    <div className={contacts.form}>
      {status === 'failed' && <p role="alert">{texts().failed}</p>}
      {status === 'completed' && isDryRun && <p role="status">{texts().checked}</p>}
      <dl className={styles.figures}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {isDryRun && <ImportNow progress={progress} />}
      {!isDryRun && summary && summary.createdCount > 0 && <CreatedLink importId={summary.importId} />}
    </div>
  )
}

function CreatedLink({ importId }: Pick<Summary, 'importId'>) {
  const conditions = [{ type: 'createdByImport' as const, importId }]
  return (
    <Link to="/contacts" search={{ filter: { match: 'all', conditions } }}>
      {texts().showCreated}
    </Link>
  )
}

/** After a reload the file is no longer in this tab, and must be chosen again. */
function ImportNow({ progress }: { progress: Progress }) {
  const navigate = useNavigate()
  const current = useStore(wizard)
  const [isBusy, setBusy] = useState(false)
  if (!hasScope('contact:create')) return null
  if (current?.dryRunId !== progress.importId)
    return (
      <p>
        {texts().fileAgain} <Link to="/contacts/import">{texts().chooseFile}</Link>
      </p>
    )
  const start = async () => {
    setBusy(true)
    try {
      const importId = await startImport(current, false)
      void navigate({ to: '/contacts/import/$importId', params: { importId }, replace: true })
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
      setBusy(false)
    }
  }
  return (
    <div className={contacts.line}>
      <Button
        look="primary"
        busy={isBusy}
        disabled={progress.successCount === 0}
        onClick={() => void start()}
      >
        {texts().importNow(formatNumber(progress.successCount))}
      </Button>
      <Link to="/contacts/import">{texts().changeColumns}</Link>
    </div>
  )
}
