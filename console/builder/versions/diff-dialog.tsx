/** What differs between two versions: as a list, and on a drawing of both. */
import { useMemo, useState } from 'react'
import { useResource } from '../../app/use-resource.ts'
import { Status } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { CloseIcon, PencilIcon, PlusIcon } from '../../ui/icons.tsx'
import { Failure, Loading } from '../../ui/state-view.tsx'
import type { BuilderPanelProps } from '../panel.ts'
import { type Change, type ChangeKind, joinDefinitions, listChanges } from './describe-diff.ts'
import { Drawing, type Mark } from './drawing.tsx'
import { texts } from './texts.ts'
import { type Diff, fetchDiff } from './version-api.ts'
import styles from './versions.module.css'
import type { Numbered } from './versions-panel.tsx'

interface DiffDialogProps extends BuilderPanelProps {
  versions: readonly Numbered[]
  initial: { from: string; to: string }
  onClose: () => void
}

export function DiffDialog(props: DiffDialogProps) {
  const { kind, workflowId, versions, initial, onClose } = props
  const [chosen, setChosen] = useState(initial)
  const { from, to } = chosen
  const load = () => fetchDiff(kind, workflowId, from, to)
  const { data, error, reload } = useResource(`diff ${from} ${to}`, load)
  const choose = (side: 'from' | 'to') => (
    <Select
      label={texts().sides[side]}
      value={chosen[side]}
      onChange={event => setChosen({ ...chosen, [side]: event.target.value })}
    >
      {versions.map(({ id, number }) => (
        <option key={id} value={id}>
          {texts().version(number)}
        </option>
      ))}
    </Select>
  )
  return (
    <Dialog title={texts().compare} open wide onClose={onClose}>
      <div className={styles.panel}>
        <div className={styles.sides}>
          {choose('from')}
          {choose('to')}
        </div>
        {error !== undefined && <Failure error={error} onRetry={reload} />}
        {!data && error === undefined && <Loading rows={4} />}
        {data && <DiffView {...props} diff={data} />}
      </div>
    </Dialog>
  )
}

const looks = {
  added: { tone: 'success', icon: PlusIcon },
  removed: { tone: 'danger', icon: CloseIcon },
  changed: { tone: 'warning', icon: PencilIcon },
} as const satisfies Record<ChangeKind, unknown>

function DiffView({ diff, versions, kind, catalogue }: DiffDialogProps & { diff: Diff }) {
  const find = (id: string) => versions.find(version => version.id === id)!.definition
  const [from, to] = [find(diff.from), find(diff.to)]
  const changes = useMemo(() => listChanges(diff, from, to), [diff, from, to])
  const joined = useMemo(() => joinDefinitions(diff, to), [diff, to])
  const toMarks = (what: Change['what']) =>
    new Map<string, Mark>(
      changes
        .filter(change => change.what === what)
        .map(change => [change.id, { kind: change.kind, label: texts().kinds[change.kind] }]),
    )
  const count = (wanted: ChangeKind) => changes.filter(change => change.kind === wanted).length
  return (
    <>
      <p role="status">
        {changes.length === 0
          ? texts().same
          : texts().counts(count('added'), count('removed'), count('changed'))}
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
