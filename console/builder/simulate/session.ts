/** A simulation that the user steps through: how it starts, the inputs so far, and the request that they form. */
import type { Simulation, SimulationRequest } from './cases.ts'
import { texts } from './texts.ts'

export type SimulationInput = NonNullable<SimulationRequest['inputs']>[number]
export type HttpAnswer = NonNullable<SimulationRequest['http']>[string]

export interface Setup {
  /** A contact of the workspace; empty: a made-up one. */
  contactId: string
  name: string
  phone: string
  /** The start of the run: its trigger, a message or an event. */
  start: 'trigger' | 'message' | 'event'
  message: string
  eventName: string
  eventKey: string
  /** JSON. */
  eventData: string
  /** A local time, as `datetime-local` has it; empty: now. */
  clock: string
  window: 'real' | 'open' | 'closed'
  /** Empty: the start node. */
  startNodeId: string
  /** JSON; for a run that starts at another node. */
  variables: string
}

export const emptySetup: Setup = {
  contactId: '',
  name: '',
  phone: '',
  start: 'trigger',
  message: '',
  eventName: '',
  eventKey: '',
  eventData: '',
  clock: '',
  window: 'real',
  startNodeId: '',
  variables: '',
}

export interface Session {
  setup: Setup
  inputs: readonly SimulationInput[]
  http: Readonly<Record<string, HttpAnswer>>
  /** Ids of nodes whose messages are not delivered. */
  undelivered: readonly string[]
}

type JsonObject = Record<string, unknown>

/** Returns undefined for an empty text, null for one that is not a JSON object. */
export function parseObject(text: string): JsonObject | null | undefined {
  if (text.trim() === '') return undefined
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names of the fields that cannot be sent as they are. */
export function findInvalid({ eventData, variables, start, startNodeId, eventName }: Setup): string[] {
  return [
    ...(start === 'event' && parseObject(eventData) === null ? ['eventData'] : []),
    ...(start === 'event' && eventName.trim() === '' ? ['eventName'] : []),
    ...(startNodeId !== '' && parseObject(variables) === null ? ['variables'] : []),
  ]
}

function toContact({ contactId, name, phone }: Setup): Pick<SimulationRequest, 'contactId' | 'contact'> {
  if (contactId) return { contactId }
  const madeUpName = name.trim() || texts().madeUpName
  return { contact: { name: madeUpName, ...(phone.trim() ? { phone: phone.trim() } : {}) } }
}

function toStart(setup: Setup): Pick<SimulationRequest, 'message' | 'event' | 'startNodeId' | 'variables'> {
  const { start, message, eventName, eventKey, eventData, startNodeId, variables } = setup
  const data = parseObject(eventData)
  const given = parseObject(variables)
  return {
    ...(start === 'message' && message.trim() ? { message: message.trim() } : {}),
    ...(start === 'event' && eventName.trim()
      ? {
          event: {
            name: eventName.trim(),
            ...(eventKey.trim() ? { key: eventKey.trim() } : {}),
            ...(data ? { data } : {}),
          },
        }
      : {}),
    ...(startNodeId ? { startNodeId, ...(given ? { variables: given } : {}) } : {}),
  }
}

/** The error of a message that the user declares undelivered. */
const deliveryError = 'recipient_unreachable'

/** `startedAt` is the start of the first simulation: the clock of later ones starts there too. */
export function buildRequest(session: Session, startedAt?: string): SimulationRequest {
  const { setup, inputs, http, undelivered } = session
  const startsAt = setup.clock ? new Date(setup.clock).toISOString() : startedAt
  const deliveries = Object.fromEntries(undelivered.map(nodeId => [nodeId, { failed: deliveryError }]))
  return {
    ...toContact(setup),
    ...toStart(setup),
    ...(startsAt ? { startsAt } : {}),
    ...(setup.window === 'real' ? {} : { window: setup.window }),
    ...(inputs.length > 0 ? { inputs: [...inputs] } : {}),
    ...(Object.keys(http).length > 0 ? { http } : {}),
    ...(undelivered.length > 0 ? { deliveries } : {}),
    until: 'inputs',
  }
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Returns a time as `datetime-local` has it. */
function toLocal(timestamp: string): string {
  const time = new Date(timestamp)
  const day = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}`
}

/** Returns the session that a stored request came from. */
export function toSession(request: SimulationRequest): Session {
  const { contactId, contact, message, event, startsAt, window, startNodeId, variables } = request
  const toJson = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))
  return {
    setup: {
      contactId: contactId ?? '',
      name: contact?.name ?? '',
      phone: contact?.phone ?? '',
      start: event ? 'event' : message === undefined ? 'trigger' : 'message',
      message: message ?? '',
      eventName: event?.name ?? '',
      eventKey: event?.key ?? '',
      eventData: toJson(event?.data),
      clock: startsAt ? toLocal(startsAt) : '',
      window: window ?? 'real',
      startNodeId: startNodeId ?? '',
      variables: toJson(variables),
    },
    inputs: request.inputs ?? [],
    http: request.http ?? {},
    undelivered: Object.keys(request.deliveries ?? {}),
  }
}

/** Seconds between two inputs unless an input says otherwise, as at the service. */
const spacingSeconds = 5

/** Returns the simulated times of the inputs. */
export function listInputTimes(inputs: readonly SimulationInput[], startedAt: string): number[] {
  let time = Date.parse(startedAt)
  return inputs.map(({ afterSeconds = spacingSeconds }) => {
    time += afterSeconds * 1_000
    return time
  })
}

/** Returns the input that lets the time of the wait pass; a timer at that second fires before it. */
export function buildSkip(
  { inputs }: Session,
  { startedAt, endedAt, waitingFor }: Simulation,
  ms?: number,
): SimulationInput | undefined {
  const last = listInputTimes(inputs, startedAt).at(-1) ?? Date.parse(startedAt)
  const now = Math.max(last, Date.parse(endedAt))
  const until = ms === undefined ? waitingFor?.until && Date.parse(waitingFor.until) : now + ms
  return until ? { afterSeconds: Math.max(0, Math.floor((until - last) / 1_000)) + 1 } : undefined
}
