/** Reads what a page shows, and reads it again after events about its kinds. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { isDeletedHere } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { onFrames } from '../../api/realtime.ts'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'

export interface LoadState<T> {
  data: T | undefined
  error: ApiError | undefined
  reload: () => Promise<void>
}

interface LoadOptions {
  /** Kinds of `changed` frames after which the data is read again. */
  kinds?: readonly string[]
  /** Other data is read when this changes: the id of the resource that is shown, if it is one. */
  key?: string
}

export function useLoaded<T>(
  load: () => Promise<T>,
  { kinds = [], key = '' }: LoadOptions = {},
): LoadState<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: ApiError }>({ key })
  const latest = useRef({ load, kinds, request: 0 })
  Object.assign(latest.current, { load, kinds })
  const reload = useCallback(async () => {
    const request = ++latest.current.request
    const isCurrent = () => latest.current.request === request
    try {
      const data = await latest.current.load()
      if (isCurrent()) setState({ key, data })
    } catch (error) {
      if (isCurrent())
        setState(before => ({ ...(before.key === key ? before : { key }), error: ApiError.from(error) }))
    }
  }, [key])
  useEffect(() => {
    void reload()
    const stop = onFrames(frames => {
      if (isDeletedHere(key)) return
      if (frames.some(frame => isAbout(frame, latest.current.kinds))) void reload()
    })
    return () => {
      stop()
      latest.current.request++
    }
  }, [key, reload])
  const { data, error } = state.key === key ? state : { data: undefined, error: undefined }
  return { data, error, reload }
}

/** Whether a list has items, as far as is known: one that could not be read may have some. */
export const hasItems = ({ data, error }: LoadState<readonly unknown[]>) =>
  data ? data.length > 0 : error !== undefined

function isAbout(
  { type, data }: { type: string; data: { kind?: string } },
  kinds: readonly string[],
): boolean {
  const kind = type === 'changed' ? data.kind : type.replace(/\.updated$/, '')
  return type === 'resync' || kinds.includes(kind ?? '')
}

/** Shows the data, the skeleton before it, or why it could not be read. */
export function Loaded<T>({
  state,
  rows = 3,
  children,
}: {
  state: LoadState<T>
  rows?: number
  children: (data: T) => ReactNode
}) {
  if (state.data !== undefined) return children(state.data)
  if (state.error) return <Failure error={state.error} onRetry={() => void state.reload()} />
  return <Loading rows={rows} />
}
