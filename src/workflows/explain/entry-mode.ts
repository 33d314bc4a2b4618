/** Explains what an entry mode allows, given the runs of the contact. Entry modes apply per key. */
import { isInProgress, type Run } from '../engine/run/run.ts'
import type { EntryExplanation } from '../runs/run-schemas.ts'
import type { EntryMode, TriggerConfig } from '../triggers/trigger-type.ts'

export type Reason = EntryExplanation['reasons'][number]

/** Returns why the entry mode does not allow another run with this key at the given time. */
export function findEntryRefusal(
  mode: EntryMode,
  runs: readonly Run[],
  key: string,
  at: string,
): Reason | undefined {
  const earlier = runs.filter(run => run.entryKey === key && run.startedAt <= at)
  const latest = earlier[0]
  if (!latest || mode === 'every_time') return undefined
  if (mode === 'once')
    return { code: 'entered_before', message: `the contact entered at ${latest.startedAt}` }
  if (mode === 'cooldown')
    return latest.reenterAt !== null && latest.reenterAt > at
      ? { code: 'cooling_down', message: `the contact may enter again at ${latest.reenterAt}` }
      : undefined
  const isInside = earlier.some(run => isInProgress(run) || (run.endedAt !== null && run.endedAt > at))
  return isInside ? { code: 'already_inside', message: 'a run of the contact is in progress' } : undefined
}

/** Whether the contact may enter once for each key of its events. */
export function isKeyed(trigger: TriggerConfig, runs: readonly Run[]): boolean {
  return trigger.type === 'event' && (trigger.key !== undefined || runs.some(run => run.entryKey !== ''))
}

const maxKeys = 50

/** Lists the keys of the contact's runs, newest first, with what the entry mode allows now. */
export function explainKeys(
  mode: EntryMode,
  runs: readonly Run[],
  now: string,
): NonNullable<EntryExplanation['keys']> {
  const keys = [...new Set(runs.map(run => run.entryKey))].slice(0, maxKeys)
  return keys.map(key => {
    const refusal = findEntryRefusal(mode, runs, key, now)
    return { key: key === '' ? null : key, wouldEnter: refusal === undefined, reason: refusal ?? null }
  })
}
