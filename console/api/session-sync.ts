/** Reads the session again when a part of it changes, so that new rights and names apply without a reload. */
import { onFrames } from './realtime.ts'
import { loadSession } from './session.ts'

const kinds = new Set([
  'workspace',
  'user',
  'service_account',
  'team',
  'inbox',
  'label',
  'tag',
  'custom_field',
  'macro',
])
const delayMs = 100

/** Reads one at a time, and at the end of a burst; returns a function that stops. */
export function startSessionSync(): () => void {
  let state: 'idle' | 'reading' | 'stale' = 'idle'
  const read = async () => {
    state = 'reading'
    await new Promise(resolve => setTimeout(resolve, delayMs))
    await loadSession()
    if ((state as string) === 'stale') await read()
    state = 'idle'
  }
  return onFrames(frames => {
    if (!frames.some(({ type, data }) => type === 'resync' || (type === 'changed' && kinds.has(data.kind))))
      return
    if (state === 'idle') void read()
    else state = 'stale'
  })
}
