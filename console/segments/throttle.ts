/** Runs a function immediately, then at most once in the interval; a call meanwhile runs at its end. */
export function throttle(run: () => void, intervalMs: number): { call: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const start = () => {
    isWanted = false
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) start()
    }, intervalMs)
  }
  return {
    call: () => {
      isWanted = true
      if (timer === undefined) start()
    },
    stop: () => clearTimeout(timer),
  }
}
