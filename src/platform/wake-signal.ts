/** Lets a loop wait until it is notified or a time has passed. A notification while the loop works is not lost. */
export interface WakeSignal {
  notify(): void
  wait(ms: number): Promise<void>
}

export function wakeSignal(): WakeSignal {
  let notified = false
  let resume: (() => void) | undefined
  return {
    notify() {
      notified = true
      resume?.()
    },
    async wait(ms) {
      if (!notified) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>(resolve => {
          resume = resolve
          timer = setTimeout(resolve, ms)
        })
        clearTimeout(timer)
        resume = undefined
      }
      notified = false
    },
  }
}
