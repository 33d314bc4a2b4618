/** The number of contacts that a filter finds, with the newest ten; read again when contacts change. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import { onFrames } from '../api/realtime.ts'
import type { Filter } from './filter/conditions.ts'
import { throttle } from './throttle.ts'

interface Matches {
  count: number
  samples: readonly Schemas['ContactSummary'][]
}

const delayMs = 300
const refreshIntervalMs = 1_000
const sampleCount = 10

async function load(filter: Filter): Promise<Matches> {
  const [{ totalSize }, { items }] = await Promise.all([
    call(api.POST('/contacts/search/count', { body: { filter } })),
    call(api.POST('/contacts/search', { body: { filter, limit: sampleCount } })),
  ])
  return { count: totalSize, samples: items }
}

/** `filter` is undefined while it is incomplete. Responses to earlier filters are dropped. */
export function useMatches(filter: Filter | undefined) {
  const [state, setState] = useState<{ matches?: Matches; error?: unknown }>({})
  const [version, setVersion] = useState(0)
  const key = filter && JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter
  useEffect(() => {
    if (!filter) return setState({})
    let isCurrent = true
    const timer = setTimeout(() => {
      load(filter).then(
        matches => isCurrent && setState({ matches }),
        error => isCurrent && setState({ error }),
      )
    }, delayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key, version])
  useEffect(() => {
    const refresh = throttle(() => setVersion(before => before + 1), refreshIntervalMs)
    const stop = onFrames(frames => {
      if (frames.some(({ type }) => type.startsWith('contact.') || type === 'resync')) refresh.call()
    })
    return () => {
      refresh.stop()
      stop()
    }
  }, [])
  return { ...state, retry: () => setVersion(before => before + 1) }
}
