/** The panel "Simulate" of the builder: plays a run of the definition on the screen, and keeps runs as cases. */
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useStore } from '../../app/store.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PlayIcon, ReopenIcon } from '../../ui/controls/icons.tsx'
import type { Definition } from '../model/definition.ts'
import type { BuilderPanelProps } from '../panel-props.ts'
import { explainError } from '../runs/run-errors.ts'
import { texts as runTexts } from '../runs/texts.ts'
import { useSession } from '../state/session.tsx'
import { AnswerForm } from './answer-form.tsx'
import { CaseList } from './case-list.tsx'
import type { Simulation } from './cases.ts'
import { HttpAnswers } from './http-answers.tsx'
import { Problems } from './problems.tsx'
import { nameStep, SetupForm } from './setup-form.tsx'
import styles from './simulate.module.css'
import { StepList } from './step-list.tsx'
import { texts } from './texts.ts'
import { buildTranscript, findOpenChoices, getRefusal } from './transcript.ts'
import { TranscriptView } from './transcript-view.tsx'
import { type Player, useSimulation } from './use-simulation.ts'

export function SimulatePanel(props: BuilderPanelProps) {
  const player = useSimulation(props)
  const { simulation, error } = player
  const panel = useRef<HTMLDivElement>(null)
  useRequestedStart(player)
  useKeptFocus(panel, player)
  return (
    <div className={styles.panel} ref={panel}>
      <StartHere definition={props.definition} onStart={player.startAt} />
      {simulation ? (
        <Play {...props} player={player} />
      ) : (
        <SetupForm
          definition={props.definition}
          kind={props.kind}
          setup={player.session.setup}
          isBusy={player.isBusy}
          onChange={player.setSetup}
          onStart={player.start}
        />
      )}
      {error !== undefined && <Problems error={error} definition={props.definition} onRetry={player.retry} />}
      <CaseList {...props} player={player} />
    </div>
  )
}

/**
 * A step removes or disables the control that took it, and the browser then drops the focus. It moves to the outcome, or
 * to the start form if there is none.
 */
function useKeptFocus(panel: RefObject<HTMLElement | null>, { isBusy, simulation }: Player): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    const note = ({ target }: Event) => {
      hadFocus.current = panel.current?.contains(target as Node) ?? false
    }
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', note)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note)
    }
  }, [panel])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result may remove controls
  useEffect(() => {
    if (isBusy || !hadFocus.current || document.activeElement !== document.body) return
    panel.current?.querySelector<HTMLElement>('[data-outcome], form input')?.focus()
  }, [panel, isBusy, simulation])
}

/** Starts at the node for which a simulation was asked outside of the panel. */
function useRequestedStart(player: Player): void {
  const { simulateFrom } = useSession()
  const nodeId = useStore(simulateFrom)
  const startAt = useEffectEvent(player.startAt)
  useEffect(() => {
    if (nodeId === undefined) return
    simulateFrom.set(undefined)
    startAt(nodeId)
  }, [nodeId, simulateFrom])
}

interface StartHereProps {
  definition: Definition
  onStart: (nodeId: string) => void
}

/** Offers to start at the node that is selected on the canvas or in the steps. */
function StartHere({ definition, onStart }: StartHereProps) {
  const { nodes } = useStore(useSession().editor.selection)
  const [id] = nodes
  const node = nodes.size === 1 ? definition.nodes.find(item => item.id === id) : undefined
  if (!node || node.type === 'start') return null
  return (
    <p className={styles.row}>
      <Button icon={PlayIcon} onClick={() => onStart(node.id)}>
        {texts().startHere}
      </Button>
      <span className={styles.wrapped}>{nameStep(node)}</span>
    </p>
  )
}

function Play(props: BuilderPanelProps & { player: Player }) {
  const { player, select } = props
  const { session, turns } = player
  const simulation = player.simulation!
  const entries = useMemo(() => buildTranscript(session, simulation), [session, simulation])
  const { entered, status, endedAt } = simulation
  const isOpen = entered && (status === 'waiting' || status === 'running')
  return (
    <>
      <div className={styles.row}>
        <Button icon={ReopenIcon} onClick={player.reset}>
          {texts().restart}
        </Button>
        {session.inputs.length > 0 && (
          <Button look="plain" disabled={player.isBusy} onClick={player.undo}>
            {texts().undo}
          </Button>
        )}
        <span className={styles.clock}>{texts().clockAt(formatDateTime(new Date(endedAt)))}</span>
      </div>
      <TranscriptView
        entries={entries}
        definition={props.definition}
        openKey={isOpen ? findOpenChoices(entries, simulation) : undefined}
        undelivered={session.undelivered}
        isBusy={player.isBusy}
        onChoose={({ id, title }) => player.add({ replyId: id, message: title })}
        onToggleDelivery={player.toggleDelivery}
      />
      <Outcome simulation={simulation} />
      {session.setup.window !== 'open' && isWindowClosed(simulation) && (
        <div>
          <Button icon={PlayIcon} disabled={player.isBusy} onClick={player.openWindow}>
            {texts().openWindow}
          </Button>
        </div>
      )}
      {isOpen && <AnswerForm player={player} simulation={simulation} />}
      <HttpAnswers
        definition={props.definition}
        simulation={simulation}
        http={session.http}
        onChange={player.setHttp}
      />
      <StepList turns={turns} select={select} definition={props.definition} />
    </>
  )
}

/** A made-up contact has written nothing, so that most channels accept only templates. */
const isWindowClosed = ({ effects }: Simulation) =>
  effects.some(effect => getRefusal(effect) === 'window_closed')

/** Says how the run ended, or what it waits for. */
function describeOutcome({ entered, status, endReason, error, waitingFor }: Simulation): string {
  if (!entered) return texts().notEntered(endReason ?? '')
  if (error) return texts().failed(explainError(error))
  if (status !== 'waiting' && status !== 'running') {
    const reason = endReason ?? status
    return texts().ended(runTexts().ends[reason] ?? reason)
  }
  const until = waitingFor?.until ? formatDateTime(new Date(waitingFor.until)) : undefined
  return texts().waits(waitingFor?.message ? texts().forReply : texts().forNothing, until)
}

function Outcome({ simulation }: { simulation: Simulation }) {
  return (
    <p
      role="status"
      tabIndex={-1}
      className={styles.outcome}
      data-outcome
      data-failed={simulation.error !== null || undefined}
    >
      {describeOutcome(simulation)}
    </p>
  )
}
