/** The cases of the workflow: saves the simulation as one, runs them all, opens and deletes them, also before publishing. */
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { useResource } from '../../app/use-resource.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { BookmarkIcon, CheckCircleIcon, ErrorIcon, PlayIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { describeRefusal } from '../describe-refusal.ts'
import type { Definition } from '../model/definition.ts'
import type { BuilderPanelProps } from '../panel-props.ts'
import {
  type CaseResult,
  changeCases,
  loadCases,
  maxCases,
  runCases,
  toExpected,
  type WorkflowCase,
} from './cases.ts'
import { describeDifference } from './describe-difference.ts'
import { buildRequest, toSession } from './session.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'
import type { Player } from './use-simulation.ts'

type CaseListProps = BuilderPanelProps & { player: Player }

export function CaseList(props: CaseListProps) {
  const { kind, workflowId, definition, canEdit, player } = props
  const {
    data: stored,
    error,
    reload,
    set,
  } = useResource(`cases ${workflowId}`, () => loadCases(kind, workflowId))
  const [results, setResults] = useState<readonly CaseResult[]>()
  const [isBusy, setBusy] = useState(false)
  const change = async (edit: (list: readonly WorkflowCase[]) => WorkflowCase[], done: string) => {
    setBusy(true)
    try {
      const { hadConflict, ...saved } = await changeCases(kind, workflowId, stored!, edit)
      set(saved)
      showToast({ text: hadConflict ? texts().casesMerged(done) : done })
    } catch (cause) {
      showToast({ text: describeRefusal(ApiError.from(cause)) })
    }
    setBusy(false)
  }
  const runAll = async () => {
    setBusy(true)
    try {
      setResults(await runCases(kind, workflowId, definition))
    } catch (cause) {
      showToast({ text: describeRefusal(ApiError.from(cause)) })
    }
    setBusy(false)
  }
  if (error !== undefined) return <Failure error={error} onRetry={reload} />
  if (!stored) return null
  const { cases } = stored
  return (
    <section className={styles.stack} aria-label={texts().cases}>
      <h3>{texts().cases}</h3>
      {canEdit && player.simulation && cases.length < maxCases && (
        <SaveCase
          // Until the run is played again, its result is that of the inputs before.
          isBusy={isBusy || player.isBusy}
          onSave={name => {
            const { session, simulation } = player
            const request = buildRequest(session)
            const one = { id: crypto.randomUUID(), name, request, expected: toExpected(simulation!) }
            return change(list => [...list, one], texts().caseSaved(name))
          }}
        />
      )}
      {cases.length === 0 && <p className={styles.muted}>{texts().noCases}</p>}
      <ul className={styles.list}>
        {cases.map(one => (
          <li key={one.id} className={styles.case}>
            <Button look="plain" className={styles.step} onClick={() => player.open(toSession(one.request))}>
              {one.name}
            </Button>
            <Result result={results?.find(result => result.case.id === one.id)} definition={definition} />
            {canEdit && (
              <IconButton
                icon={TrashIcon}
                label={texts().removeCase(one.name)}
                disabled={isBusy}
                onClick={() =>
                  void change(list => list.filter(({ id }) => id !== one.id), texts().caseRemoved(one.name))
                }
              />
            )}
          </li>
        ))}
      </ul>
      {cases.length > 0 && (
        <div className={styles.row}>
          <Button icon={PlayIcon} busy={isBusy} onClick={() => void runAll()}>
            {texts().runAll}
          </Button>
          {results && (
            <span role="status">
              {texts().passedOf(results.filter(({ passed }) => passed).length, results.length)}
            </span>
          )}
        </div>
      )}
    </section>
  )
}

type CaseCheckProps = Pick<BuilderPanelProps, 'kind' | 'workflowId' | 'definition'>

/** Runs the cases on a draft that is about to be published, and names those that do not pass. */
export function CaseCheck({ kind, workflowId, definition }: CaseCheckProps) {
  const [results, setResults] = useState<readonly CaseResult[]>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    runCases(kind, workflowId, definition).then(setResults, setError)
  }, [kind, workflowId, definition])
  if (error !== undefined) return <p role="alert">{describeRefusal(ApiError.from(error))}</p>
  if (!results) return <Loading rows={1} />
  if (results.length === 0) return null
  const failed = results.filter(({ passed }) => !passed)
  return (
    <section className={styles.stack} aria-label={texts().cases}>
      <p role="status">
        {texts().cases}: {texts().passedOf(results.length - failed.length, results.length)}
      </p>
      {failed.length > 0 && (
        <ul className={styles.list}>
          {failed.map(result => (
            <li key={result.case.id} className={styles.case}>
              <span className={styles.step}>{result.case.name}</span>
              <Result result={result} definition={definition} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function SaveCase({ isBusy, onSave }: { isBusy: boolean; onSave: (name: string) => Promise<void> }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || isBusy) return
    void onSave(name.trim()).then(() => setName(''))
  }
  return (
    <form className={styles.answer} onSubmit={submit}>
      <TextField
        label={texts().caseName}
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={event => setName(event.target.value)}
      />
      <Button type="submit" icon={BookmarkIcon} busy={isBusy} disabled={name.trim() === ''}>
        {texts().saveCase}
      </Button>
    </form>
  )
}

interface ResultProps {
  result: CaseResult | undefined
  definition: Definition
}

function Result({ result, definition }: ResultProps) {
  if (!result) return null
  if (result.passed)
    return (
      <Status tone="success" icon={CheckCircleIcon}>
        {texts().passed}
      </Status>
    )
  const { difference, error } = result
  return (
    <>
      <Status tone="danger" icon={ErrorIcon}>
        {texts().notPassed}
      </Status>
      <p className={styles.difference}>
        {difference ? describeDifference(difference, definition) : describeRefusal(ApiError.from(error))}
      </p>
    </>
  )
}
