/** An import with its file and progress: read until it is finished, and after each event about it. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { onFrames } from '../../api/realtime.ts'

const pollMs = 1_000
const maxListed = 200

async function findSummary(importId: string): Promise<Schemas['ContactImportSummary'] | undefined> {
  const params = { query: { pageSize: maxListed } }
  const { imports } = await call(api.GET('/contacts/imports', { params }))
  return imports.find(item => item.importId === importId)
}

const read = (importId: string) =>
  Promise.all([
    call(api.GET('/contacts/imports/{id}', { params: { path: { id: importId } } })),
    findSummary(importId),
  ])

const isFinished = (status: string) => status === 'completed' || status === 'failed'

export function useImport(importId: string) {
  const [state, setState] = useState<{
    progress: Schemas['ContactImport']
    summary: Schemas['ContactImportSummary'] | undefined
  }>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      timer = setTimeout(load, pollMs)
    }
    const receive = ([progress, summary]: Awaited<ReturnType<typeof read>>) => {
      setState({ progress, summary })
      setError(undefined)
      if (!isFinished(progress.status)) again()
    }
    // A restart of the service does not end the import: it is read again, and the last known progress stays on the screen.
    const fail = (cause: unknown) => {
      setError(cause)
      if (ApiError.from(cause).isTemporary) again()
    }
    const load = () => {
      clearTimeout(timer)
      read(importId).then(
        found => isCurrent && receive(found),
        cause => isCurrent && fail(cause),
      )
    }
    load()
    const stop = onFrames(frames => {
      const isOwn = frames.some(
        ({ type, data }) =>
          type === 'resync' || (type === 'changed' && data.kind === 'import' && data.id === importId),
      )
      if (isOwn) load()
    })
    return () => {
      isCurrent = false
      clearTimeout(timer)
      stop()
    }
  }, [importId])
  return {
    ...state,
    error: state ? undefined : error,
    isFinished: state !== undefined && isFinished(state.progress.status),
  }
}
