/** A loop's way to sleep until it is rung or a time has passed. A ring while it works is not lost. */
export interface WakeSignal {
  notify(): void
  wait(ms: number): Promise<void>
}

export function wakeSignal(): WakeSignal {
  let rung = false
  let open: (() => void) | undefined
  return {
    notify() {
      rung = true
      open?.()
    },
    async wait(ms) {
      if (!rung) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>(resolve => {
          open = resolve
          timer = setTimeout(resolve, ms)
        })
        clearTimeout(timer)
        open = undefined
      }
      rung = false
    },
  }
}
