/** Starts the work of a process that reaches the outside once the process is adopted: immediately, or after `parley adopt`. */
import type { Deps } from '../../platform/deps.ts'
import { findObstacle } from './installation.ts'

export interface Adoption {
  /** Why the process sends nothing yet; undefined once it is adopted. */
  getObstacle(): string | undefined
  /** Looks for the first time. Calls `onAdopted` now or later. */
  begin(): Promise<void>
  stop(): void
}

const pollMs = 2_000
export const remedy = 'nothing is sent and no callback is registered until you run `parley adopt`'

export function watchAdoption(deps: Deps, onAdopted: () => Promise<void>): Adoption {
  const { log } = deps
  let obstacle: string | undefined = 'not known yet'
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function check(): Promise<void> {
    const found = await findObstacle(deps)
    if (stopped) return
    if (!found) await onAdopted()
    obstacle = found
  }

  async function poll(): Promise<void> {
    await check().catch(error =>
      log.warn({ err: error }, 'could not see whether the installation is adopted'),
    )
    if (obstacle === undefined) log.info('adopted: sending starts')
    else schedule()
  }

  function schedule(): void {
    if (!stopped) timer = setTimeout(() => void poll(), pollMs)
  }

  return {
    getObstacle: () => obstacle,
    async begin() {
      await check()
      if (obstacle === undefined) return
      log.warn(`not adopted: ${obstacle}; ${remedy}`)
      schedule()
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
