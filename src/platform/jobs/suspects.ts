/**
 * Runs suspects, jobs during which a process died, one at a time and without the jobs that could be the cause instead: when
 * the process dies again, the suspect is to blame. Nobody waits for long: what has run for a while without harm goes on
 * beside the next job.
 */
const defaultTimeoutMs = 5_000

export interface SuspectGate {
  /** Runs a job that is no suspect but could kill the process, after the suspect that runs now. */
  runOther(work: () => Promise<void>): Promise<void>
  /** Runs a suspect when the others have ended. Returns false without running it while there is another suspect. */
  runAlone(work: () => Promise<void>): Promise<boolean>
}

export function suspectGate(timeoutMs = defaultTimeoutMs): SuspectGate {
  const others = new Set<Promise<void>>()
  let hasSuspect = false
  /** Resolves when others may run. */
  let closed: Promise<void> | undefined

  function close(): () => void {
    let resolve = () => {}
    const closing = new Promise<void>(done => {
      resolve = done
    })
    closed = closing
    return () => {
      if (closed === closing) closed = undefined
      resolve()
    }
  }

  /** Resolves when the others have ended or run for so long that they are above suspicion. */
  function waitForOthers(): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise(resolve => {
      timer = setTimeout(resolve, timeoutMs)
    })
    return Promise.race([Promise.allSettled(others), late]).finally(() => clearTimeout(timer))
  }

  return {
    async runOther(work) {
      while (closed) await closed
      const running = work()
      others.add(running)
      await running.finally(() => others.delete(running))
    },
    async runAlone(work) {
      if (hasSuspect) return false
      hasSuspect = true
      const open = close()
      let timer: NodeJS.Timeout | undefined
      try {
        await waitForOthers()
        timer = setTimeout(open, timeoutMs)
        await work()
        return true
      } finally {
        clearTimeout(timer)
        hasSuspect = false
        open()
      }
    },
  }
}
