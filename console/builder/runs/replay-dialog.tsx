/** One run, replayed step by step on the definition of its own version. */
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { useResource } from '../../app/use-resource.ts'
import { formatFull } from '../../i18n/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CloseIcon, RetryIcon } from '../../ui/controls/icons.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { describeRefusal } from '../describe-refusal.ts'
import { type Definition, findNode } from '../model/definition.ts'
import type { BuilderPanelProps } from '../panel-props.ts'
import { toHighlight, toText } from '../simulate/transcript.ts'
import { fetchVersion } from '../state/workflow-api.ts'
import { nameNode } from '../texts.ts'
import { Drawing, type Mark } from '../versions/drawing.tsx'
import { cancelRun, fetchRun, isInProgress, type Run, type RunDetail, retryRun } from './run-api.ts'
import { describeState, RunBadge } from './run-state.tsx'
import styles from './runs.module.css'
import { listFacts } from './step-facts.ts'
import { nameOutcome, texts } from './texts.ts'

interface ReplayDialogProps extends BuilderPanelProps {
  runId: string
  nameOf: (contactId: string) => string
  onChanged: () => void
  onClose: () => void
}

export function ReplayDialog(props: ReplayDialogProps) {
  const { kind, workflowId, runId, nameOf, onClose } = props
  const { data, error, reload } = useResource(`run ${runId}`, async () => {
    const run = await fetchRun(runId)
    return { run, definition: await fetchVersion(kind, workflowId, run.versionId) }
  })
  return (
    <Dialog
      title={data ? texts().runOf(nameOf(data.run.contactId)) : texts().run}
      open
      wide
      onClose={onClose}
    >
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={4} />}
      {data && <Replay key={data.run.id} {...props} {...data} reload={reload} />}
    </Dialog>
  )
}

interface ReplayProps extends ReplayDialogProps {
  run: RunDetail
  definition: Definition
  reload: () => void
}

const followMs = 1_000

/** Reads a run in progress again until it waits or has ended. */
function useProgress({ run, reload, onChanged }: ReplayProps): void {
  const read = useEffectEvent(() => {
    reload()
    onChanged()
  })
  // Each response schedules the next request.
  useEffect(() => {
    if (run.status !== 'running') return
    const timer = setTimeout(read, followMs)
    return () => clearTimeout(timer)
  }, [run])
}

function Replay(props: ReplayProps) {
  const { run, definition, catalogue, kind } = props
  useProgress(props)
  /** undefined: the last step, also when more steps follow. */
  const [chosen, setChosen] = useState<number>()
  const shown = chosen ?? run.path.length
  const setShown = (step: number) => setChosen(step === run.path.length ? undefined : step)
  const path = useMemo(() => run.path.slice(0, shown), [run.path, shown])
  const current = path.at(-1)
  const highlight = toHighlight(path, { definition, catalogue, kind })
  const nodes = new Map<string, Mark>(
    highlight.nodeIds.map(id => {
      const numbers = path.filter(({ nodeId }) => nodeId === id).map(({ n }) => n)
      return [id, { kind: id === current?.nodeId ? 'current' : 'path', label: numbers.join(', ') }]
    }),
  )
  const edges = new Map<string, Mark>(highlight.edgeIds.map(id => [id, { kind: 'path', label: '' }]))
  return (
    <div className={styles.panel}>
      <div className={styles.row}>
        <RunBadge status={run.status} />
        <span>{describeState(run)}</span>
        <RunActions {...props} />
      </div>
      <div className={styles.row}>
        <Button disabled={shown <= 1} onClick={() => setShown(shown - 1)}>
          {texts().previous}
        </Button>
        <Button disabled={shown >= run.path.length} onClick={() => setShown(shown + 1)}>
          {texts().next}
        </Button>
        <span role="status">{texts().stepOf(shown, run.path.length)}</span>
      </div>
      <div className={styles.replay}>
        <ol className={styles.steps} aria-label={texts().steps}>
          {run.path.map((step, i) => (
            <li key={step.n} data-later={i >= shown || undefined}>
              <Button
                look="plain"
                className={styles.step}
                aria-current={i === shown - 1 ? 'step' : undefined}
                onClick={() => setShown(i + 1)}
              >
                <span>
                  {step.n}. {nameNode(step.type)}
                </span>
                <span className={styles.muted}>
                  {nameOutcome(step, findNode(definition, step.nodeId))} · {formatFull(step.at)}
                </span>
              </Button>
              {i === shown - 1 && <Facts title={texts().detail} entries={listFacts(step)} />}
            </li>
          ))}
        </ol>
        <Drawing
          definition={definition}
          catalogue={catalogue}
          kind={kind}
          label={texts().drawing}
          nodes={nodes}
          edges={edges}
          focus={current?.nodeId}
        />
      </div>
      <Facts
        title={texts().variables}
        entries={Object.entries(run.variables).map(([name, value]) => [name, toText(value)])}
      />
    </div>
  )
}

function Facts({ title, entries }: { title: string; entries: readonly [string, string][] }) {
  if (entries.length === 0) return null
  return (
    <dl className={styles.facts} aria-label={title}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function RunActions({ run, reload, onChanged }: ReplayProps) {
  const [isBusy, setBusy] = useState(false)
  const act = async (work: Promise<Run>, done: string) => {
    setBusy(true)
    try {
      await work
      showToast({ text: done })
    } catch (error) {
      showToast({ text: describeRefusal(ApiError.from(error)), tone: 'danger' })
    }
    setBusy(false)
    reload()
    onChanged()
  }
  if (!hasScope('journey:activate')) return null
  return (
    <>
      {isInProgress(run) && (
        <Button
          icon={CloseIcon}
          busy={isBusy}
          onClick={() => void act(cancelRun(run.id), texts().cancelled(1))}
        >
          {texts().cancelRun}
        </Button>
      )}
      {run.status === 'failed' && (
        <Button icon={RetryIcon} busy={isBusy} onClick={() => void act(retryRun(run.id), texts().retried)}>
          {texts().retryRun}
        </Button>
      )}
    </>
  )
}
