/** Converts between the transcripts of templates and the requests and responses of simulations. */
import type { Simulation, SimulationInput, SimulationRequest } from '../simulation/schemas.ts'
import type { TranscriptLine } from '../templates/template.ts'

/** Shorter times are those between a message and its reply. */
const minWaitSeconds = 60
/** Time between an input and the one before it, unless a simulation says otherwise. */
const spacingSeconds = 5

/** Returns the lines without times: the first message or event starts the run, the others are its inputs. */
export function toSimulationRequest(lines: readonly TranscriptLine[]): SimulationRequest {
  const inputs: SimulationInput[] = []
  let waited = 0
  for (const line of lines) {
    if (line.type === 'waited') waited += line.seconds
    const input = toInput(line)
    if (!input) continue
    inputs.push(waited > 0 ? { ...input, afterSeconds: waited + spacingSeconds } : input)
    waited = 0
  }
  const starts = lines[0] !== undefined && toInput(lines[0]) !== undefined
  const { message, event } = (starts && inputs.shift()) || {}
  return { ...(message ? { message } : {}), ...(event ? { event } : {}), inputs }
}

function toInput(line: TranscriptLine): SimulationInput | undefined {
  if (line.type === 'event') return { event: { name: line.text, data: line.data as never } }
  if (line.type !== 'received') return undefined
  return { message: line.text, ...(line.replyId ? { replyId: line.replyId } : {}) }
}

interface SentEffect {
  content: { text: { body: string } }
  options?: { title: string }[]
}

/** Returns what the customer saw: inputs of the request and sent messages, in the order of their times. */
export function toTranscript(request: SimulationRequest, simulation: Simulation): TranscriptLine[] {
  const start = Date.parse(simulation.startedAt)
  const lines: { at: number; line: TranscriptLine }[] = []
  if (request.message) lines.push({ at: start, line: { type: 'received', text: request.message } })
  if (request.event) lines.push({ at: start, line: toEventLine(request.event) })
  let inputAt = start
  for (const input of request.inputs ?? []) {
    inputAt += (input.afterSeconds ?? spacingSeconds) * 1_000
    const { message = '', replyId, event } = input
    const line = event
      ? toEventLine(event)
      : ({ type: 'received', text: message, ...(replyId ? { replyId } : {}) } as const)
    lines.push({ at: inputAt, line })
  }
  lines.push(...listSent(simulation))
  return withWaits(
    start,
    lines.toSorted((a, b) => a.at - b.at),
  )
}

/** Returns the messages that were not refused. */
function listSent({ effects }: Simulation): { at: number; line: TranscriptLine }[] {
  const sent = effects.filter(({ effect, result }) => effect === 'send' && !('refused' in (result as object)))
  return sent.map(({ at, input }) => {
    const [{ content, options }] = input as [SentEffect]
    const titles = options ? { options: options.map(({ title }) => title) } : {}
    return { at: Date.parse(at), line: { type: 'sent', text: content.text.body, ...titles } }
  })
}

function toEventLine({ name, data = {} }: NonNullable<SimulationRequest['event']>): TranscriptLine {
  return { type: 'event', text: name, data }
}

/** Adds a line for each long time between two others. */
function withWaits(start: number, lines: readonly { at: number; line: TranscriptLine }[]): TranscriptLine[] {
  return lines.flatMap(({ at, line }, i) => {
    const seconds = Math.round((at - (lines[i - 1]?.at ?? start)) / 1_000)
    // Deliveries take seconds of the simulated time.
    const rounded = Math.floor(seconds / minWaitSeconds) * minWaitSeconds
    return rounded > 0 ? [{ type: 'waited' as const, seconds: rounded }, line] : [line]
  })
}
