/** The runs of a workflow: contact, status with what the run waits for, and since when. */
import { formatFull, formatWhen } from '../../i18n/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import overlay from '../../ui/overlays/overlay.module.css'
import table from '../../ui/tables/table.module.css'
import { type Definition, findNode } from '../model/definition.ts'
import { nameNode } from '../texts.ts'
import { isInProgress, type Run } from './run-api.ts'
import { describeState, getSince, RunBadge } from './run-state.tsx'
import styles from './runs.module.css'
import { texts } from './texts.ts'

interface RunTableProps {
  runs: readonly Run[]
  nameOf: (contactId: string) => string
  definition: Definition
  /** Undefined: the user cannot cancel runs. */
  selected: ReadonlySet<string> | undefined
  onSelect: (selected: ReadonlySet<string>) => void
  onOpen: (runId: string) => void
}

export function RunTable({ runs, nameOf, definition, selected, onSelect, onOpen }: RunTableProps) {
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const nameOfNode = (id: string) => nameNode(findNode(definition, id)?.type ?? id)
  return (
    <table className={table.table}>
      <caption className={overlay.hidden}>{texts().runs}</caption>
      <thead>
        <tr>
          {selected && (
            <th>
              <span className={overlay.hidden}>{texts().selection}</span>
            </th>
          )}
          <th>{texts().contact}</th>
          <th>{texts().state}</th>
          <th>{texts().since}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(run => (
          <tr key={run.id}>
            {selected && (
              <td>
                {isInProgress(run) && (
                  <input
                    type="checkbox"
                    className={styles.check}
                    aria-label={texts().selectRun(nameOf(run.contactId))}
                    checked={selected.has(run.id)}
                    onChange={() => toggle(run.id)}
                  />
                )}
              </td>
            )}
            <td className={styles.contact}>
              <Button look="plain" className={styles.open} onClick={() => onOpen(run.id)}>
                {nameOf(run.contactId)}
              </Button>
            </td>
            <td>
              <RunBadge status={run.status} />
              <p className={styles.muted}>
                {nameOfNode(run.nodeId)}
                {describeState(run) && `: ${describeState(run)}`}
              </p>
            </td>
            <td>
              <time className={styles.since} dateTime={getSince(run)} title={formatFull(getSince(run))}>
                {formatWhen(getSince(run))}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
