/** Dialog that compares two versions. */
import { useState } from 'react'
import { useResource } from '../../app/use-resource.ts'
import { Select } from '../../ui/controls/field.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { BuilderPanelProps } from '../panel-props.ts'
import { DiffView } from './diff-view.tsx'
import { texts } from './texts.ts'
import { fetchDiff, type Numbered } from './version-api.ts'
import styles from './versions.module.css'

interface DiffDialogProps extends BuilderPanelProps {
  versions: readonly Numbered[]
  initial: { from: string; to: string }
  onClose: () => void
}

export function DiffDialog(props: DiffDialogProps) {
  const { kind, workflowId, catalogue, versions, initial, onClose } = props
  const [chosen, setChosen] = useState(initial)
  const { from, to } = chosen
  const load = () => fetchDiff(kind, workflowId, from, to)
  const { data, error, reload } = useResource(`diff ${from} ${to}`, load)
  const find = (id: string) => versions.find(version => version.id === id)!.definition
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
        {data && (
          <DiffView diff={data} from={find(data.from)} to={find(data.to)} kind={kind} catalogue={catalogue} />
        )}
      </div>
    </Dialog>
  )
}
