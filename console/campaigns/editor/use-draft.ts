/**
 * The draft on the screen. Changes are saved a moment after the last one, with the revision that they are based on: a change
 * of someone else is a conflict that the user resolves.
 */
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { createStore, type Store, useStore } from '../../app/store.ts'
import type { Campaign } from '../campaign-state.tsx'
import { type ContentDraft, toContent, toDraft } from './content/content-draft.ts'

export interface DraftValues {
  name: string
  segmentId: string | null
  inboxId: string | null
  sendRate: number | null
  content: ContentDraft
}
export type DraftField = keyof DraftValues

/** Of a conflict: `both` keeps the fields that only one side changed, and mine where both did. */
export type Choice = 'theirs' | 'mine' | 'both'

export interface Draft {
  values: DraftValues
  /** The version of the service that the values are based on. */
  saved: Campaign
  change: (values: Partial<DraftValues>) => void
  state: 'saved' | 'saving' | 'failed'
  problem: ApiError | undefined
  conflict: Campaign | undefined
  /** The fields that were changed here and are not saved. */
  touched: readonly DraftField[]
  resolve: (choice: Choice) => void
  /** Saves now; returns the saved version, or undefined if it could not be saved. */
  flush: () => Promise<Campaign | undefined>
}

const saveDelayMs = 400
const retryDelayMs = 2_000
/** A placeholder that is being typed would be refused. */
const openDelayMs = 3_000

const hasOpenPlaceholder = ({ content }: DraftValues) =>
  /\{\{[^}"]*"/.test(JSON.stringify(toContent(content)))

const toValues = ({ name, segmentId, inboxId, sendRate, content }: Campaign): DraftValues => ({
  name,
  segmentId,
  inboxId,
  sendRate,
  content: toDraft(content),
})

const fields: readonly DraftField[] = ['name', 'segmentId', 'inboxId', 'sendRate', 'content']

/** Returns the fields in which two versions differ. */
export const listChanges = (from: Campaign, to: Campaign): DraftField[] =>
  fields.filter(field => JSON.stringify(from[field]) !== JSON.stringify(to[field]))

const read = (campaignId: string) =>
  call(api.GET('/campaigns/{campaignId}', { params: { path: { campaignId } } }))

function patch({ id, revision }: Campaign, values: DraftValues, touched: ReadonlySet<DraftField>) {
  const stored = { ...values, content: toContent(values.content) }
  const body = Object.fromEntries([...touched].map(field => [field, stored[field]]))
  const params = { path: { campaignId: id }, header: { 'If-Match': `"${revision}"` } }
  return call(api.PATCH('/campaigns/{campaignId}', { params, body }))
}

interface State {
  values: DraftValues
  saved: Campaign
  touched: ReadonlySet<DraftField>
  isSaving: boolean
  problem?: ApiError | undefined
  conflict?: Campaign | undefined
}

interface DraftStore {
  state: Store<State>
  set: (change: Partial<State>) => void
  /** The request in flight. */
  saving: Promise<void> | undefined
  /** Called when the campaign is not a draft any longer. */
  onGone: () => void
}

function createDraft(campaign: Campaign): DraftStore {
  const state = createStore<State>({
    values: toValues(campaign),
    saved: campaign,
    touched: new Set(),
    isSaving: false,
  })
  const set = (change: Partial<State>) => state.update(before => ({ ...before, ...change }))
  return { state, set, saving: undefined, onGone: () => {} }
}

async function save({ state, set, onGone }: DraftStore): Promise<void> {
  const { saved, values, touched } = state.get()
  if (touched.size === 0) return
  set({ touched: new Set(), problem: undefined, isSaving: true })
  try {
    set({ saved: await patch(saved, values, touched) })
  } catch (error) {
    const problem = ApiError.from(error)
    const newer = state.get().touched
    // Values that were changed meanwhile may be accepted: they are saved next.
    const isOutdated = newer.size > 0 && problem.status === 400
    set({ touched: new Set([...touched, ...newer]), problem: isOutdated ? undefined : problem })
    if (problem.status === 409) onGone()
    if (problem.status === 412) set({ conflict: await read(saved.id).catch(() => undefined) })
  }
  set({ isSaving: false })
}

async function flush(draft: DraftStore): Promise<Campaign | undefined> {
  await draft.saving
  draft.saving = save(draft)
  await draft.saving
  draft.saving = undefined
  const { saved, touched } = draft.state.get()
  return touched.size === 0 ? saved : undefined
}

function change({ state, set }: DraftStore, changed: Partial<DraftValues>): void {
  const { values, touched } = state.get()
  const fields = Object.keys(changed) as DraftField[]
  set({ values: { ...values, ...changed }, touched: new Set([...touched, ...fields]), problem: undefined })
}

function resolve({ state, set }: DraftStore, choice: Choice): void {
  const { conflict, saved, values, touched } = state.get()
  if (!conflict) return
  const theirs = toValues(conflict)
  // A message that this editor cannot change cannot be saved by it either.
  const isKnown = (field: DraftField) => field !== 'content' || values.content.kind !== 'other'
  const kept: Record<Choice, readonly DraftField[]> = {
    theirs: [],
    mine: [...new Set([...touched, ...listChanges(saved, conflict).filter(isKnown)])],
    both: [...touched],
  }
  const fields = kept[choice]
  set({
    saved: conflict,
    values: { ...theirs, ...Object.fromEntries(fields.map(field => [field, values[field]])) },
    touched: new Set(fields),
    conflict: undefined,
    problem: undefined,
  })
}

/** `newest` is the latest version that was read. */
export function useDraft(newest: Campaign, onGone: () => void): Draft {
  const [draft] = useState(() => createDraft(newest))
  draft.onGone = onGone
  const { values, saved, touched, isSaving, problem, conflict } = useStore(draft.state)
  useEffect(() => {
    if (touched.size === 0 || isSaving || conflict || (problem && !problem.isTemporary)) return
    const delayMs = hasOpenPlaceholder(draft.state.get().values) ? openDelayMs : saveDelayMs
    const timer = setTimeout(() => void flush(draft), problem ? retryDelayMs : delayMs)
    return () => clearTimeout(timer)
  }, [draft, touched, isSaving, conflict, problem])
  // Adopts a newer version where nothing is unsaved.
  useEffect(() => {
    const { saved, touched } = draft.state.get()
    if (newest.revision > saved.revision && touched.size === 0 && !isSaving)
      draft.set({ saved: newest, values: toValues(newest) })
  }, [draft, newest, isSaving])
  const isPending = isSaving || touched.size > 0
  return {
    values,
    saved,
    problem,
    conflict,
    state: problem ? 'failed' : isPending ? 'saving' : 'saved',
    touched: [...touched],
    change: changed => change(draft, changed),
    resolve: choice => resolve(draft, choice),
    flush: () => flush(draft),
  }
}
