/** The channels that the sandbox simulates: only their customers can be played. */
import { useEffect } from 'react'
import { api, call } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { createStore, useStore } from '../../app/store.ts'
import type { Channel } from '../channels.ts'

const simulated = createStore<readonly Channel[]>([])
let isKnown = false

async function load(): Promise<void> {
  if (isKnown || !hasScope('sandbox:control')) return
  isKnown = true
  try {
    simulated.set((await call(api.GET('/sandbox'))).channels)
  } catch {
    // Asked again by the next screen that needs it.
    isKnown = false
  }
}

/** Returns no channel until the service has answered, without a sandbox, and if the user may not control it. */
export function useSimulated(): readonly Channel[] {
  const channels = useStore(simulated)
  useEffect(() => void load(), [])
  return hasScope('sandbox:control') ? channels : []
}
