/** The panel "Runs" of the builder: who is where, the path of one run, and why a contact did or did not enter. */
import { useEffect, useState } from 'react'
import { hasScope } from '../../api/session.ts'
import { useResource } from '../../app/use-resource.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/field.tsx'
import { RetryIcon } from '../../ui/controls/icons.tsx'
import { Empty, Failure, Loading } from '../../ui/layout/state-view.tsx'
import { type Numbers, useNumbers } from '../numbers/use-numbers.ts'
import type { BuilderPanelProps } from '../panel-props.ts'
import { describeNode } from '../state/names.ts'
import { nameNode } from '../texts.ts'
import { CancelRuns } from './cancel-runs.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { fetchRuns, type Run, type RunFilter, type RunStatus, useContactNames } from './run-api.ts'
import { runStatuses } from './run-state.tsx'
import { RunTable } from './run-table.tsx'
import styles from './runs.module.css'
import { texts } from './texts.ts'
import { WhyEntered } from './why-entered.tsx'

interface Pages {
  runs: Run[]
  next: string | null
}

/** Time between two reads of the list: runs emit no frames. */
const refreshMs = 5_000

function useRuns({ kind, workflowId }: BuilderPanelProps, filter: RunFilter) {
  const [count, setCount] = useState(1)
  const key = `runs ${workflowId} ${filter.status ?? ''} ${filter.nodeId ?? ''} ${count}`
  const resource = useResource<Pages>(key, async () => {
    const pages: Pages = { runs: [], next: null }
    for (let page = 0; page < count; page++) {
      const found = await fetchRuns(kind, workflowId, filter, pages.next ?? undefined)
      pages.runs.push(...found.runs)
      pages.next = found.nextPageToken
      if (!pages.next) break
    }
    return pages
  })
  const { reload } = resource
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [reload])
  return { ...resource, more: () => setCount(before => before + 1) }
}

export function RunsPanel(props: BuilderPanelProps) {
  const { kind, workflowId, select } = props
  const [filter, setFilter] = useState<RunFilter>({})
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string>()
  const numbers = useNumbers(kind, workflowId, true)
  const { data, error, reload, more } = useRuns(props, filter)
  const nameOf = useContactNames(data?.runs ?? [])
  const canChange = hasScope('journey:activate')
  const change = (next: RunFilter) => {
    setFilter(next)
    setSelected(new Set())
    if (next.nodeId) select(next.nodeId)
  }
  return (
    <div className={styles.panel}>
      <Filters {...props} filter={filter} numbers={numbers} onChange={change} />
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={4} />}
      {data?.runs.length === 0 && (
        <Empty title={filter.status || filter.nodeId ? texts().noneFound : texts().none} />
      )}
      {data && data.runs.length > 0 && (
        <RunTable
          runs={data.runs}
          nameOf={nameOf}
          definition={props.definition}
          selected={canChange ? selected : undefined}
          onSelect={setSelected}
          onOpen={setOpened}
        />
      )}
      <div className={styles.row}>
        {data?.next && <Button onClick={more}>{texts().more}</Button>}
        <Button look="plain" icon={RetryIcon} onClick={reload}>
          {texts().refresh}
        </Button>
      </div>
      {canChange && data && (
        <CancelRuns
          workflowId={workflowId}
          runs={data.runs}
          selected={selected}
          onDone={() => {
            setSelected(new Set())
            reload()
          }}
        />
      )}
      {kind === 'journey' && <WhyEntered workflowId={workflowId} onOpen={setOpened} />}
      {opened && (
        <ReplayDialog
          {...props}
          runId={opened}
          nameOf={nameOf}
          onChanged={reload}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

interface FiltersProps extends BuilderPanelProps {
  filter: RunFilter
  numbers: Numbers | undefined
  onChange: (filter: RunFilter) => void
}

function Filters({ definition, filter, numbers, onChange }: FiltersProps) {
  return (
    <div className={styles.filters}>
      <Select
        label={texts().status}
        value={filter.status ?? ''}
        onChange={event =>
          onChange({ ...filter, status: (event.target.value || undefined) as RunStatus | undefined })
        }
      >
        <option value="">{texts().allStatuses}</option>
        {runStatuses.map(status => (
          <option key={status} value={status}>
            {texts().statuses[status]}
          </option>
        ))}
      </Select>
      <Select
        label={texts().node}
        value={filter.nodeId ?? ''}
        onChange={event => onChange({ ...filter, nodeId: event.target.value || undefined })}
      >
        <option value="">{texts().allNodes}</option>
        {definition.nodes.map(node => {
          const waiting = numbers?.get(node.id)?.waiting ?? 0
          const name = [nameNode(node.type), describeNode(node).slice(0, 30)].filter(Boolean).join(': ')
          return (
            <option key={node.id} value={node.id}>
              {waiting > 0 ? `${name} (${texts().waitingHere(waiting)})` : name}
            </option>
          )
        })}
      </Select>
    </div>
  )
}
