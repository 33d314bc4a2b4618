/** Tags, fields, journeys and campaigns that conditions name. They are read again when a colleague changes them. */
import { useEffect } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { onFrames } from '../../api/realtime.ts'
import { getSignedIn, hasScope, session } from '../../api/session.ts'
import { createStore, useStore } from '../../app/store.ts'
import { throttle } from '../throttle.ts'

interface Named {
  id: string
  name: string
}

interface References {
  journeys: readonly Named[]
  campaigns: readonly Named[]
}

const named = createStore<References>({ journeys: [], campaigns: [] })

/** Tags and fields are part of the session: all screens see the new ones. */
async function reloadTags(): Promise<void> {
  const { tags } = await call(api.GET('/tags'))
  session.set({ ...getSignedIn(), tags: new Map(tags.map(tag => [tag.id, tag])) })
}

async function reloadFields(): Promise<void> {
  const { customFields } = await call(api.GET('/contacts/custom-fields'))
  session.set({ ...getSignedIn(), customFields })
}

async function loadJourneys(): Promise<void> {
  if (!hasScope('journey:list')) return
  const params = { query: { pageSize: 200 } }
  const { journeys } = await call(api.GET('/journeys', { params }))
  named.set({ ...named.get(), journeys })
}

async function loadCampaigns(): Promise<void> {
  if (!hasScope('campaign:list')) return
  const params = { query: { limit: 200 } }
  const { items } = await call(api.GET('/campaigns', { params }))
  named.set({ ...named.get(), campaigns: items })
}

/** Every save of a draft is a change, and the builder saves while the user types. */
const rereadIntervalMs = 10_000

/** Starts with the first component that needs it and stops with the last. */
function shared(start: () => () => void): () => () => void {
  let users = 0
  let stop = () => {}
  return () => {
    if (users++ === 0) stop = start()
    return () => {
      if (--users === 0) stop()
    }
  }
}

const ignoreFailure = (read: () => Promise<void>) => () => void read().catch(() => {})

function onChanged(reloads: Record<string, () => void>): () => void {
  return onFrames(frames => {
    const changed = frames.flatMap(({ type, data }) => (type === 'changed' ? (reloads[data.kind] ?? []) : []))
    for (const reload of new Set(changed)) reload()
  })
}

const followFields = shared(() =>
  onChanged({ tag: ignoreFailure(reloadTags), custom_field: ignoreFailure(reloadFields) }),
)
const followNamed = shared(() => {
  const reads = [loadJourneys, loadCampaigns].map(ignoreFailure)
  for (const read of reads) read()
  const [journeys, campaigns] = reads.map(read => throttle(read, rereadIntervalMs))
  const stop = onChanged({ journey: journeys!.call, campaign: campaigns!.call })
  return () => {
    stop()
    journeys!.stop()
    campaigns!.stop()
  }
})

/** The custom fields of contacts, also those that a colleague creates now. */
export function useFields(): readonly Field[] {
  useStore(session)
  useEffect(followFields, [])
  return getSignedIn().customFields.filter(({ entityType }) => entityType === 'contact')
}

/** The resources that conditions can name. */
export function useReferences() {
  const fields = useFields()
  const { journeys, campaigns } = useStore(named)
  useEffect(followNamed, [])
  return { tags: [...getSignedIn().tags.values()], fields, journeys, campaigns }
}

export type ReferenceLists = ReturnType<typeof useReferences>
export type Field = Schemas['CustomField']
