/** A difference as a list and on a drawing of both definitions; in the publish dialog, that of the draft. */
import { useMemo } from 'react'
import { useResource } from '../../app/use-resource.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { CloseIcon, PencilIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import type { Catalogue, Definition, WorkflowKind } from '../model/definition.ts'
import type { Workflow } from '../state/workflow-api.ts'
import { texts as builderTexts } from '../texts.ts'
import { type Change, type ChangeKind, countMoved, joinDefinitions, listChanges } from './describe-diff.ts'
import { Drawing, type Mark } from './drawing.tsx'
import { texts } from './texts.ts'
import { type Diff, fetchDiff } from './version-api.ts'
import styles from './versions.module.css'

export interface DraftDiffProps {
  kind: WorkflowKind
  catalogue: Catalogue
  /** As it was saved last. */
  workflow: Workflow
  published: Definition
}

/** Shows the changes that publishing would make. */
export function DraftDiff({ kind, catalogue, workflow, published }: DraftDiffProps) {
  const { id, revision, publishedVersionId, definition } = workflow
  const load = () => fetchDiff(kind, id, publishedVersionId!, 'draft')
  const { data, error, reload } = useResource(`draft ${id} ${revision}`, load)
  if (error !== undefined) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading rows={4} />
  if (data.same) return <p className={styles.muted}>{builderTexts().sameAsPublished}</p>
  return (
    <section className={styles.panel} aria-label={texts().changesOfDraft}>
      <DiffView diff={data} from={published} to={definition} kind={kind} catalogue={catalogue} />
    </section>
  )
}

const looks = {
  added: { tone: 'success', icon: PlusIcon },
  removed: { tone: 'danger', icon: CloseIcon },
  changed: { tone: 'warning', icon: PencilIcon },
} as const satisfies Record<ChangeKind, unknown>

interface DiffViewProps {
  diff: Diff
  from: Definition
  to: Definition
  kind: WorkflowKind
  catalogue: Catalogue
}

export function DiffView({ diff, from, to, kind, catalogue }: DiffViewProps) {
  const changes = useMemo(() => listChanges(diff, from, to), [diff, from, to])
  const joined = useMemo(() => joinDefinitions(diff, to), [diff, to])
  const toMarks = (what: Change['what']) =>
    new Map<string, Mark>(
      changes
        .filter(change => change.what === what)
        .map(change => [change.id, { kind: change.kind, label: texts().kinds[change.kind] }]),
    )
  const moved = countMoved(diff)
  const count = (wanted: ChangeKind) => changes.filter(change => change.kind === wanted).length
  return (
    <>
      <p role="status">
        {changes.length === 0
          ? texts().same
          : texts().counts(count('added'), count('removed'), count('changed'))}
        {moved > 0 && <span className={styles.muted}> {texts().moved(moved)}</span>}
      </p>
      <ul className={styles.changes} aria-label={texts().changes}>
        {changes.map(change => (
          <li key={change.key}>
            <Status {...looks[change.kind]}>{texts().kinds[change.kind]}</Status>
            <div className={styles.change}>
              <span>
                {change.what === 'edge' && `${texts().connection}: `}
                {change.title} <code className={styles.muted}>{change.id}</code>
              </span>
              {change.summary && <span className={styles.muted}>{change.summary}</span>}
              {change.fields.map(({ path, before, after }) => (
                <span key={path} className={styles.field}>
                  <code>{path}</code>
                  <del>{toText(before)}</del> → <ins>{toText(after)}</ins>
                </span>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <Drawing
        definition={joined}
        catalogue={catalogue}
        kind={kind}
        label={texts().drawing}
        nodes={toMarks('node')}
        edges={toMarks('edge')}
        focus={changes.find(({ what }) => what === 'node')?.id}
      />
    </>
  )
}

const maxLength = 120

function toText(value: unknown): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
