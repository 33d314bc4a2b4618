/** Describes the input and the effects of a step of a run, as titles and texts for the replay. */
import { formatFull } from '../../i18n/format.ts'
import type { RunDetail } from './run-api.ts'
import { explainError, type RunError } from './run-errors.ts'
import { texts } from './texts.ts'

type Step = Pick<RunDetail['path'][number], 'input' | 'detail' | 'output'>
type Values = Record<string, unknown>

/** Parts of the reason, and the kind of the input, which the outcome names. */
const hidden = new Set(['type', 'code', 'error', 'refused', 'skipped', 'message'])

/** Returns why the step failed, was refused or had no effect. */
function findReason({ output }: Step, values: Values): string | undefined {
  const { error, code, refused, skipped, message } = values
  if (error) return explainError(error as RunError)
  const cause = code ?? refused ?? skipped ?? (message === undefined ? undefined : output)
  return cause ? explainError({ code: String(cause), message: message as string | undefined }) : undefined
}

function toText(name: string, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return name === 'until' ? formatFull(value) : value
}

/** Returns the facts with their titles; those that only the service names keep their names. */
export function listFacts(step: Step): [title: string, value: string][] {
  const values: Values = { ...(step.input as Values | null), ...step.detail }
  const reason = findReason(step, values)
  const titles = texts().details
  const facts = Object.entries(values)
    .filter(([name, value]) => value !== null && !hidden.has(name))
    .map(([name, value]): [string, string] => [titles[name] ?? name, toText(name, value)])
  return reason === undefined ? facts : [[titles.reason!, reason], ...facts]
}
