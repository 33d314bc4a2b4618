/** The panel "Versions" of the builder: who published what and when, what changed, and going back. */
import { useState } from 'react'
import { hasScope } from '../../api/session.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { formatFull } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { CheckCircleIcon } from '../../ui/controls/icons.tsx'
import { Empty, Failure, Loading } from '../../ui/layout/state-view.tsx'
import type { BuilderPanelProps } from '../panel-props.ts'
import { DiffDialog } from './diff-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { texts } from './texts.ts'
import { fetchVersions, type Numbered, nameAuthor, type VersionPage } from './version-api.ts'
import styles from './versions.module.css'

function useVersions({ kind, workflowId }: BuilderPanelProps) {
  const [older, setOlder] = useState<{ first: string; pages: VersionPage[] }>()
  const load = () => fetchVersions(kind, workflowId)
  const resource = useResource(`versions ${workflowId}`, load, { isAffected: isChange(kind, workflowId) })
  const first = resource.data
  const newest = first?.versions[0]?.id ?? ''
  const pages = first ? [first, ...(older?.first === newest ? older.pages : [])] : []
  const next = pages.at(-1)?.next ?? null
  const more = async () => {
    const page = await fetchVersions(kind, workflowId, next!)
    setOlder({ first: newest, pages: [...pages.slice(1), page] })
  }
  const versions: Numbered[] = pages
    .flatMap(page => page.versions)
    .map((version, i) => ({ ...version, number: first!.total - i }))
  return { ...resource, versions, next, more }
}

export function VersionsPanel(props: BuilderPanelProps) {
  const { data, error, reload, versions, next, more } = useVersions(props)
  const [compared, setCompared] = useState<{ from: string; to: string }>()
  const [restored, setRestored] = useState<Numbered>()
  const canRestore = props.canEdit && hasScope('journey:update')
  return (
    <div className={styles.panel}>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={3} />}
      {data && versions.length === 0 && <Empty title={texts().none} />}
      <ol className={styles.list} aria-label={texts().versions}>
        {versions.map((version, i) => {
          const before = versions[i + 1]
          return (
            <li key={version.id} className={styles.version}>
              <div className={styles.row}>
                <strong>{texts().version(version.number)}</strong>
                {i === 0 && (
                  <Status tone="success" icon={CheckCircleIcon}>
                    {texts().latest}
                  </Status>
                )}
              </div>
              <p className={styles.muted}>
                {nameAuthor(version.publishedBy)} · {formatFull(version.createdAt)}
              </p>
              {version.note && <p className={styles.note}>{version.note}</p>}
              <div className={styles.row}>
                {before && (
                  <Button onClick={() => setCompared({ from: before.id, to: version.id })}>
                    {texts().compareWith(before.number)}
                  </Button>
                )}
                {canRestore && (
                  <Button look="plain" onClick={() => setRestored(version)}>
                    {texts().restore}
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ol>
      {next && <Button onClick={() => void more()}>{texts().more}</Button>}
      {compared && (
        <DiffDialog
          {...props}
          versions={versions}
          initial={compared}
          onClose={() => setCompared(undefined)}
        />
      )}
      {restored && <RestoreDialog {...props} version={restored} onClose={() => setRestored(undefined)} />}
    </div>
  )
}
