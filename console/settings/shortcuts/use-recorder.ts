/** Records the keys of an action: one key, or two that are pressed one after the other, such as `g` and `i`. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { hasModifier, sequenceTimeoutMs, toDigitStroke, toStroke } from '../../actions/shortcuts.ts'

export interface Press {
  stroke: string
  /** The other name of a symbol: its digit with shift; empty for other keys. */
  digitStroke: string
}

const maxPresses = 2

interface RecorderOptions {
  onRecord: (presses: readonly Press[]) => void
  /** Backspace or Delete was pressed first. */
  onClear: () => void
}

export function useRecorder({ onRecord, onClear }: RecorderOptions) {
  /** Undefined: not recording. */
  const [presses, setPresses] = useState<readonly Press[]>()
  const end = (recorded: readonly Press[] = []) => {
    setPresses(undefined)
    if (recorded.length > 0) onRecord(recorded)
  }
  const latest = useRef(end)
  latest.current = end
  // Without a second key in the time that a sequence may take, the first one is all.
  useEffect(() => {
    if (!presses || presses.length === 0) return
    const timer = setTimeout(() => latest.current(presses), sequenceTimeoutMs)
    return () => clearTimeout(timer)
  }, [presses])
  const add = (press: Press) => {
    // A key with a modifier stands alone.
    const isAlone = hasModifier(press.stroke)
    const all = isAlone ? [press] : [...presses!, press]
    if (isAlone || all.length === maxPresses) end(all)
    else setPresses(all)
  }
  const takeBack = (isFirst: boolean) => {
    if (!isFirst) return setPresses([])
    end()
    onClear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!presses || /^(Shift|Control|Meta|Alt|Tab)$/.test(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.repeat) return
    const { key, nativeEvent } = event
    const isFirst = presses.length === 0
    if (key === 'Escape') end()
    else if (key === 'Enter' && !isFirst) end(presses)
    else if (key === 'Backspace' || key === 'Delete') takeBack(isFirst)
    else add({ stroke: toStroke(nativeEvent), digitStroke: toDigitStroke(nativeEvent) })
  }
  return {
    presses,
    button: {
      onClick: () => (presses ? end(presses) : setPresses([])),
      onKeyDown,
      onBlur: () => end(presses),
    },
  }
}
