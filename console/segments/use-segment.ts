/** A segment and its draft. Saving names the revision that was read, so that nobody's change is overwritten unseen. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, call, isDeletedHere, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { type Frame, onFrames } from '../api/realtime.ts'
import { createKey } from '../inbox/bulk/follow-bulk.ts'
import { showToast } from '../ui/overlays/toasts.ts'
import { emptyFilter, type Filter, toRows } from './filter/conditions.ts'
import { texts } from './texts.ts'

export type Segment = Schemas['Segment']
export interface Draft {
  name: string
  description: string
  filter: Filter
}

export const toDraft = ({ name, description, filter }: Segment): Draft => ({
  name,
  description: description ?? '',
  filter: toRows(filter),
})
const isSame = (a: Draft, b: Draft) => JSON.stringify(a) === JSON.stringify(b)
const fetchSegment = (segmentId: string) =>
  call(api.GET('/segments/{segmentId}', { params: { path: { segmentId } } }))

const newDraft: Draft = { name: '', description: '', filter: emptyFilter }

/** Returns the id of the segment. */
async function createSegment(body: Draft, key: string): Promise<string> {
  const params = { header: { 'Idempotency-Key': key } }
  const { id } = await call(api.POST('/segments', { params, body }))
  showToast({ text: texts().created })
  return id
}

export function useSegment(segmentId: string, onCreated: (id: string) => void) {
  const isNew = segmentId === 'new'
  const [segment, setSegment] = useState<Segment>()
  const [draft, setDraft] = useState<Draft | undefined>(isNew ? newDraft : undefined)
  const [error, setError] = useState<unknown>()
  const [problem, setProblem] = useState<ApiError>()
  const [conflict, setConflict] = useState<Segment>()
  const [latest, setLatest] = useState<number>()
  const [isBusy, setBusy] = useState(false)
  const [key, setKey] = useState(createKey)
  const saved = segment ? toDraft(segment) : newDraft
  const isDirty = draft !== undefined && !isSame(draft, saved)

  const take = useCallback((found: Segment) => {
    setSegment(found)
    setDraft(toDraft(found))
    setConflict(undefined)
    setProblem(undefined)
  }, [])
  const load = useCallback(() => {
    setError(undefined)
    fetchSegment(segmentId).then(take, setError)
  }, [segmentId, take])
  useEffect(() => {
    if (!isNew) load()
  }, [isNew, load])
  // A change of a colleague is shown directly unless the user has begun to edit.
  useRevisions(segmentId, revision => {
    if (revision === segment?.revision || isDeletedHere(segmentId)) return
    setLatest(revision)
    if (!isDirty && !isBusy) load()
  })
  const create = async (body: Draft) => onCreated(await createSegment(body, key))
  const update = async (body: Draft, revision: number) => {
    const params = { path: { segmentId }, header: { 'If-Match': `"${revision}"` } }
    take(await call(api.PATCH('/segments/{segmentId}', { params, body })))
    showToast({ text: texts().saved })
  }
  const save = async (revision = segment?.revision, version = draft) => {
    if (!version || isBusy) return
    setBusy(true)
    setProblem(undefined)
    const body = { ...version, name: version.name.trim() }
    try {
      await (revision === undefined ? create(body) : update(body, revision))
    } catch (cause) {
      const refused = ApiError.from(cause)
      if (refused.status === 412) setConflict(await fetchSegment(segmentId))
      else setProblem(refused)
      if (!refused.isTemporary) setKey(createKey())
    } finally {
      setBusy(false)
    }
  }
  return {
    segment,
    draft,
    isNew,
    isDirty,
    isBusy,
    error,
    problem,
    conflict,
    isOutdated: latest !== undefined && segment !== undefined && latest > segment.revision,
    change: (values: Partial<Draft>) => {
      setKey(createKey())
      setDraft(before => before && { ...before, ...values })
    },
    save,
    reload: load,
    takeTheirs: () => conflict && take(conflict),
    closeConflict: () => setConflict(undefined),
  }
}

/** Calls with the revision of each change of the segment; undefined when it was deleted. */
function useRevisions(segmentId: string, onRevision: (revision: number | undefined) => void): void {
  const latest = useRef(onRevision)
  latest.current = onRevision
  useEffect(
    () =>
      onFrames(frames => {
        const isOwn = ({ type, data }: Frame) =>
          type === 'changed' && data.kind === 'segment' && data.id === segmentId
        const found = frames.findLast(isOwn)
        if (found) latest.current(found.data.revision ?? undefined)
      }),
    [segmentId],
  )
}
