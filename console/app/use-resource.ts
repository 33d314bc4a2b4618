/** Reads a resource and reads it again after frames that concern it. One request is in flight at a time, so that an older response never replaces a newer one. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Frame, onFrames } from '../api/realtime.ts'

export interface Resource<T> {
  data: T | undefined
  error: unknown
  reload: () => void
  /** Shows a newer version that another response contained. */
  set: (data: T) => void
}

interface Options {
  /** Whether the resource must be read again after the frame. */
  isAffected?: (frame: Frame) => boolean
  /** Time between the ends of two reads. */
  minGapMs?: number
}

/** Events may have been missed before these frames. */
const isRestart = ({ type }: Frame) => type === 'resync' || type === 'hello'

interface State<T> {
  key: string
  data?: T
  error?: unknown
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Returns a function that runs the work once more after the run in flight, however often it is called meanwhile. */
function serialise(work: () => Promise<void>): () => void {
  let running: Promise<void> | undefined
  let isDirty = false
  const run = async () => {
    do {
      isDirty = false
      await work()
    } while (isDirty)
    running = undefined
  }
  return () => {
    if (running) isDirty = true
    else running = run()
  }
}

/** `key` identifies what `load` reads; a change of it reads again. */
export function useResource<T>(key: string, load: () => Promise<T>, options: Options = {}): Resource<T> {
  const [state, setState] = useState<State<T>>({ key })
  const latest = useRef({ load, options })
  latest.current = { load, options }
  const reader = useRef<() => void>(() => {})
  useEffect(() => {
    let isStopped = false
    const show = (change: (before: State<T>) => State<T>) => {
      if (!isStopped) setState(change)
    }
    const read = serialise(async () => {
      const { load, options } = latest.current
      await load().then(
        data => show(() => ({ key, data })),
        error => show(before => ({ ...(before.key === key ? before : { key }), error })),
      )
      await wait(options.minGapMs ?? 0)
    })
    reader.current = read
    read()
    const stop = onFrames(frames => {
      if (frames.some(frame => isRestart(frame) || latest.current.options.isAffected?.(frame))) read()
    })
    return () => {
      isStopped = true
      stop()
    }
  }, [key])
  const set = useCallback((data: T) => setState({ key, data }), [key])
  const reload = useCallback(() => reader.current(), [])
  const current: State<T> = state.key === key ? state : { key }
  return { data: current.data, error: current.error, reload, set }
}

/** Matches `changed` frames of the kind, of one resource if an id is given. */
export function isChange(kind: string, id?: string): (frame: Frame) => boolean {
  return ({ type, data }) => type === 'changed' && data.kind === kind && (id === undefined || data.id === id)
}
