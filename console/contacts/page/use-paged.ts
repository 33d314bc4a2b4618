/** A list that is read page by page, and from the beginning when an event may have changed it. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Frame, onFrames } from '../../api/realtime.ts'

interface Page<T> {
  items: readonly T[]
  next: string | null
}

const reloadDelayMs = 300

export function usePaged<T>(
  key: string,
  load: (cursor: string) => Promise<Page<T>>,
  isAffected: (frame: Frame) => boolean,
) {
  const [page, setPage] = useState<Page<T>>()
  const [error, setError] = useState<unknown>()
  const latest = useRef({ load, isAffected })
  latest.current = { load, isAffected }
  const version = useRef(0)
  const read = useCallback(async (after?: Page<T>) => {
    const current = ++version.current
    try {
      const found = await latest.current.load(after?.next ?? '')
      if (current !== version.current) return
      setPage({ items: [...(after?.items ?? []), ...found.items], next: found.next })
      setError(undefined)
    } catch (cause) {
      if (current === version.current) setError(cause)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list
  useEffect(() => {
    void read()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onFrames(frames => {
      if (!frames.some(frame => frame.type === 'resync' || latest.current.isAffected(frame))) return
      clearTimeout(timer)
      timer = setTimeout(() => void read(), reloadDelayMs)
    })
    return () => {
      version.current++
      clearTimeout(timer)
      stop()
    }
  }, [key, read])
  return {
    items: page?.items,
    error,
    reload: () => void read(),
    more: page?.next ? () => void read(page) : undefined,
  }
}
