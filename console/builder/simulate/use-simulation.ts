/** Plays a session: each step is one request with the inputs so far. The service keeps no state between them. */
import { useEffect, useRef, useState } from 'react'
import type { BuilderPanelProps } from '../panel-props.ts'
import { type Simulation, simulate } from './cases.ts'
import {
  buildRequest,
  emptySetup,
  type HttpAnswer,
  parseObject,
  type Session,
  type SimulationInput,
} from './session.ts'
import { listNotes, toHighlight } from './transcript.ts'

/** The result after one input. */
export interface Turn {
  input: SimulationInput | undefined
  simulation: Simulation
}

interface State {
  turns: readonly Turn[]
  error: unknown
  isBusy: boolean
}

const idle: State = { turns: [], error: undefined, isBusy: false }

export interface Player extends State {
  session: Session
  simulation: Simulation | undefined
  setSetup: (setup: Session['setup']) => void
  start: () => void
  /** Starts at a node instead of the trigger. */
  startAt: (nodeId: string) => void
  add: (input: SimulationInput) => void
  /** Takes the last input back. */
  undo: () => void
  /** Repeats the request that failed. */
  retry: () => void
  setHttp: (nodeId: string, answer: HttpAnswer) => void
  toggleDelivery: (nodeId: string) => void
  /** Plays the inputs again with a messaging window that is always open. */
  openWindow: () => void
  open: (session: Session) => void
  reset: () => void
}

const nothing = { inputs: [], http: {}, undelivered: [] }

export function useSimulation(props: BuilderPanelProps): Player {
  const { kind, workflowId, definition } = props
  const [session, setSession] = useState<Session>({ setup: emptySetup, ...nothing })
  const [state, setState] = useState<State>(idle)
  /** Responses of earlier requests are dropped. */
  const latest = useRef(0)
  const played = useRef(definition)
  const simulation = state.turns.at(-1)?.simulation

  /** Plays the inputs that come after the turns to keep, one request for each. */
  const play = async (next: Session, kept: readonly Turn[]) => {
    const attempt = ++latest.current
    const isCurrent = () => latest.current === attempt
    setSession(next)
    setState(before => ({ ...before, error: undefined, isBusy: true }))
    // Turns of an earlier draft do not fit those of this one.
    const turns = played.current === definition ? [...kept] : []
    try {
      while (turns.length <= next.inputs.length) {
        const inputs = next.inputs.slice(0, turns.length)
        const startedAt = turns[0]?.simulation.startedAt
        const request = buildRequest({ ...next, inputs }, startedAt)
        const result = await simulate(kind, workflowId, definition, request)
        if (!isCurrent()) return
        turns.push({ input: inputs.at(-1), simulation: result })
      }
      played.current = definition
      setState({ turns, error: undefined, isBusy: false })
    } catch (error) {
      if (isCurrent()) setState(before => ({ ...before, error, isBusy: false }))
    }
  }

  useHighlight(props, state.turns)

  return {
    ...state,
    session,
    simulation,
    setSetup: setup => setSession(before => ({ ...before, setup })),
    start: () => void play({ ...session, ...nothing }, []),
    startAt: startNodeId => {
      const setup = { ...session.setup, startNodeId }
      const variables = parseObject(setup.variables) === null ? '' : setup.variables
      void play({ setup: { ...setup, variables }, ...nothing }, [])
    },
    add: input => void play({ ...session, inputs: [...session.inputs, input] }, state.turns),
    undo: () => {
      const inputs = session.inputs.slice(0, -1)
      void play({ ...session, inputs }, state.turns.slice(0, inputs.length + 1))
    },
    retry: () => void play(session, state.turns),
    setHttp: (nodeId, answer) => void play({ ...session, http: { ...session.http, [nodeId]: answer } }, []),
    toggleDelivery: nodeId => {
      const { undelivered } = session
      const isSet = undelivered.includes(nodeId)
      const next = isSet ? undelivered.filter(id => id !== nodeId) : [...undelivered, nodeId]
      void play({ ...session, undelivered: next }, [])
    },
    openWindow: () => void play({ ...session, setup: { ...session.setup, window: 'open' } }, []),
    open: next => void play(next, []),
    reset: () => {
      latest.current++
      setSession(before => ({ ...before, ...nothing }))
      setState(idle)
    },
  }
}

/** Shows the path on the canvas, with what the run did at its nodes. */
function useHighlight(props: BuilderPanelProps, turns: readonly Turn[]): void {
  const { kind, definition, catalogue, highlight } = props
  useEffect(() => {
    const simulations = turns.map(({ simulation }) => simulation)
    const last = simulations.at(-1)
    if (!last) return highlight(null)
    const isInside = last.status === 'waiting' || last.status === 'running'
    const path = toHighlight(last.path, { definition, catalogue, kind }, isInside ? last.nodeId : undefined)
    highlight({ ...path, notes: listNotes(simulations, definition) })
  }, [turns, definition, catalogue, kind, highlight])
  useEffect(() => () => highlight(null), [highlight])
}
