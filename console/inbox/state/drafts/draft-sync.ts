/**
 * Keeps the drafts of this browser and of the service the same. A lock per draft lets one tab talk to the service at a
 * time. If both sides changed, the newer text stays.
 */
import { api, call, type Schemas } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { getSignedIn, hasScope } from '../../../api/session.ts'
import {
  type DraftKey,
  type DraftKind,
  type LocalDraft,
  listLocalDrafts,
  readDraft,
  storeDraft,
} from './drafts.ts'

type StoredDraft = Schemas['Draft']

const saveDelayMs = 500
const retryMs = 5_000
/** The service lists no more. */
const maxListed = 500
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const toName = ({ conversationId, kind }: DraftKey) => `${conversationId}.${kind}`

/** Changes the text here immediately, and at the service after a pause in typing. */
export function writeDraft(key: DraftKey, text: string, lastEntryAt?: string): void {
  const before = readDraft(key.conversationId, key.kind)
  const since = before.text === '' ? lastEntryAt : before.since
  storeDraft(key.conversationId, key.kind, { ...before, text, changedAt: Date.now(), since })
  scheduleSave(key, saveDelayMs)
}

/** From now on, only later replies of colleagues are new to the user. */
export function renewDraft({ conversationId, kind }: DraftKey, lastEntryAt: string | undefined): void {
  storeDraft(conversationId, kind, { ...readDraft(conversationId, kind), since: lastEntryAt })
}

function scheduleSave(key: DraftKey, delayMs: number): void {
  if (!hasScope('message:create')) return
  clearTimeout(timers.get(toName(key)))
  timers.set(
    toName(key),
    setTimeout(() => void save(key), delayMs),
  )
}

function withLock(key: DraftKey, run: () => Promise<void>): Promise<void> {
  const { me, workspace } = getSignedIn()
  return navigator.locks.request(`parley.draft.${workspace.id}.${me.id}.${toName(key)}`, run)
}

function save(key: DraftKey): Promise<void> {
  timers.delete(toName(key))
  return withLock(key, async () => {
    const local = readDraft(key.conversationId, key.kind)
    if (local.changedAt === undefined) return
    try {
      settle(key, local, await put(key, local))
    } catch (error) {
      const problem = ApiError.from(error)
      if (problem.code === 'draft_conflict') merge(key, (problem.members.draft ?? null) as StoredDraft | null)
      else if (problem.isTemporary) scheduleSave(key, retryMs)
    }
  })
}

/** Saves the text, or deletes the draft if it is empty. Returns the new revision. */
async function put(
  { conversationId, kind }: DraftKey,
  { text, revision }: LocalDraft,
  keepalive = false,
): Promise<number> {
  const path = { id: conversationId }
  if (text === '') {
    const params = { path, query: { kind, revision } }
    if (revision > 0) await call(api.DELETE('/conversations/{id}/draft', { params, keepalive }))
    return 0
  }
  const body = { kind, content: { text }, revision }
  return (await call(api.PUT('/conversations/{id}/draft', { params: { path }, body, keepalive }))).revision
}

/** Notes the revision of the text that the service has now; the user may have typed on. */
function settle(key: DraftKey, saved: LocalDraft, revision: number): void {
  const local = readDraft(key.conversationId, key.kind)
  const isSame = local.text === saved.text
  storeDraft(key.conversationId, key.kind, {
    ...local,
    revision,
    changedAt: isSame ? undefined : local.changedAt,
  })
  if (!isSame) scheduleSave(key, saveDelayMs)
}

/** Decides between the text here and the draft of the service. */
function merge(key: DraftKey, stored: StoredDraft | null): void {
  const local = readDraft(key.conversationId, key.kind)
  const revision = stored?.revision ?? 0
  // Revisions only rise: a lower one is a response from before the last save.
  if (local.revision === revision || (stored && revision < local.revision)) return
  if (isLocalNewer(local, stored)) {
    storeDraft(key.conversationId, key.kind, { ...local, revision })
    scheduleSave(key, 0)
    return
  }
  const since = stored && stored.content.text !== local.text ? stored.updatedAt : local.since
  storeDraft(key.conversationId, key.kind, { text: stored?.content.text ?? '', revision, since })
}

function isLocalNewer({ text, changedAt }: LocalDraft, stored: StoredDraft | null): boolean {
  if (changedAt === undefined || text === stored?.content.text) return false
  return !stored || changedAt > Date.parse(stored.updatedAt)
}

/** Reads a draft that this or another browser of the user has changed. */
export function noticeDraft(key: DraftKey & { revision: number | null }): void {
  void withLock(key, async () => {
    const { revision } = readDraft(key.conversationId, key.kind)
    if (key.revision === null ? revision === 0 : key.revision <= revision) return
    const params = { path: { id: key.conversationId }, query: { kind: key.kind } }
    const found = await call(api.GET('/conversations/{id}/draft', { params })).catch(() => undefined)
    if (found) merge(key, found.draft)
  })
}

/** Loads all drafts after the start and after a reconnection, and saves local changes that are not saved yet. */
export async function loadDrafts(): Promise<void> {
  if (!hasScope('message:create')) return
  const found = await call(api.GET('/users/me/drafts')).catch(() => undefined)
  if (!found) return
  const listed = new Set(found.drafts.map(toName))
  for (const draft of found.drafts) void withLock(draft, async () => merge(draft, draft))
  for (const key of listLocalDrafts()) {
    const isComplete = found.drafts.length < maxListed
    // It may have been saved after the response.
    if (!listed.has(toName(key)) && isComplete) noticeDraft({ ...key, revision: null })
    if (readDraft(key.conversationId, key.kind).changedAt !== undefined) scheduleSave(key, 0)
  }
}

/** A tab that closes saves what waits for a pause in typing; the next start reads the result. */
export function startDraftSync(): () => void {
  const flush = () => {
    for (const name of timers.keys()) {
      const [conversationId, kind] = name.split('.') as [string, DraftKind]
      put({ conversationId, kind }, readDraft(conversationId, kind), true).catch(() => {})
    }
  }
  addEventListener('pagehide', flush)
  return () => {
    removeEventListener('pagehide', flush)
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }
}
