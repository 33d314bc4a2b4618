/** Computes what an action changes in a locked conversation, and what undoing it restores. */
import { toClosed } from '../conversation-events.ts'
import { maxLabelsOfConversation } from '../labels/labels.ts'
import type { OwnerRequest } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import type { ConversationAction } from './schemas.ts'

/** The properties that an action changed, as they were before. */
export interface Before {
  status?: 'open' | 'closed'
  closedAt?: string | null
  waitingSince?: string | null
  snoozed?: boolean
  snoozedUntil?: string | null
  priority?: ConversationRow['priority']
  teamId?: string | null
  ownerType?: ConversationRow['ownerType']
  ownerId?: string | null
  takenByPerson?: boolean
  labelIds?: string[]
  /** A message since then changes a conversation in a way that undoing must not hide. */
  messageCount?: number
}

export type StateAction = Exclude<ConversationAction, { type: 'markRead' }>

/** An action whose references were checked. */
interface CheckedAction {
  action: StateAction
  now: string
  /** Ids of the enabled users, of teams, active bots and connected inboxes. */
  existing: ReadonlySet<string>
}

export interface Change {
  before: Before
  row: ConversationRow
  after: ConversationRow
  /** Whether a person has taken the session, which keeps bots away; undefined: as it is. */
  takenByPerson?: boolean | undefined
}

/** Returns the change; undefined if the conversation is already so; the code of an error if it cannot be changed. */
export function planChange(row: ConversationRow, checked: CheckedAction): Change | string | undefined {
  const { action, now } = checked
  switch (action.type) {
    case 'close':
      return row.status === 'closed' ? undefined : planClose(row, now)
    case 'reopen':
      return row.status === 'open' ? undefined : planReopen(row, checked)
    case 'assign':
      return planAssign(row, action.owner)
    case 'addLabel':
      return row.labelIds.includes(action.labelId) ? undefined : planAddLabel(row, action.labelId)
    case 'removeLabel':
      return row.labelIds.includes(action.labelId) ? planRemoveLabel(row, action.labelId) : undefined
    case 'setPriority':
      if (row.priority === action.priority) return undefined
      return { row, before: { priority: row.priority }, after: { ...row, priority: action.priority } }
    case 'snooze':
      if (row.status === 'closed') return 'conversation_closed'
      return planSnooze(row, true, action.until === undefined ? null : new Date(action.until).toISOString())
    case 'wake':
      return planSnooze(row, false, null)
  }
}

function planClose(row: ConversationRow, now: string): Change {
  const { status, closedAt, waitingSince, snoozed, snoozedUntil } = row
  const before = { status, closedAt, waitingSince, snoozed, snoozedUntil }
  return { row, before, after: { ...row, ...toClosed(row, now) } }
}

/** Keeps team and owner as far as they exist, like `reopen` for one conversation. */
function planReopen(row: ConversationRow, { existing }: CheckedAction): Change | string {
  if (!existing.has(row.inboxId)) return 'conversation_inbox_deleted'
  const { status, closedAt, teamId, ownerType, ownerId, messageCount } = row
  const before = { status, closedAt, teamId, ownerType, ownerId, messageCount }
  const team = teamId !== null && existing.has(teamId) ? teamId : null
  const keepsUser = ownerType === 'user' && existing.has(ownerId!)
  const owner = keepsUser
    ? { type: 'user' as const, id: ownerId! }
    : team !== null && ownerType !== null
      ? { type: 'team' as const, id: team }
      : null
  return { row, before, after: withOwner({ ...row, status: 'open', closedAt: null, teamId: team }, owner) }
}

function planAssign(row: ConversationRow, request: OwnerRequest): Change | undefined {
  const owner = request.type === 'none' ? null : { type: request.type, id: request.id }
  const teamId = request.type === 'team' ? request.id : row.teamId
  const isSame = row.ownerType === (owner?.type ?? null) && row.ownerId === (owner?.id ?? null)
  if (isSame && row.teamId === teamId) return undefined
  const before = { teamId: row.teamId, ownerType: row.ownerType, ownerId: row.ownerId }
  const after = withOwner({ ...row, teamId }, owner)
  return { row, before, after, takenByPerson: owner?.type === 'user' ? true : undefined }
}

function planAddLabel(row: ConversationRow, labelId: string): Change | string {
  if (row.labelIds.length >= maxLabelsOfConversation) return 'label_limit_reached'
  const labelIds = [...row.labelIds, labelId].sort()
  return { row, before: { labelIds: row.labelIds }, after: { ...row, labelIds } }
}

function planRemoveLabel(row: ConversationRow, labelId: string): Change {
  const labelIds = row.labelIds.filter(id => id !== labelId)
  return { row, before: { labelIds: row.labelIds }, after: { ...row, labelIds } }
}

function planSnooze(row: ConversationRow, snoozed: boolean, snoozedUntil: string | null): Change | undefined {
  if (row.snoozed === snoozed && row.snoozedUntil === snoozedUntil) return undefined
  const before = { snoozed: row.snoozed, snoozedUntil: row.snoozedUntil, messageCount: row.messageCount }
  return { row, before, after: { ...row, snoozed, snoozedUntil } }
}

/**
 * Plans to restore a conversation; returns the code of an error if something it refers to no longer exists. `before` has no
 * property that the action left as it was, so messages and changes of others to the rest of the conversation stay.
 */
export function planRestore(
  row: ConversationRow,
  before: Before,
  existing: ReadonlySet<string>,
): Change | string {
  const { takenByPerson, messageCount: _, ...state } = before
  const after = { ...row, ...state }
  const restored = before.ownerType === undefined ? after : withOwner(after, toOwner(after))
  return findMissing(restored, before, existing) ?? { row, before, after: restored, takenByPerson }
}

function findMissing(
  after: ConversationRow,
  before: Before,
  existing: ReadonlySet<string>,
): string | undefined {
  const isOpened = before.status === 'open'
  const isAssigned = before.ownerType !== undefined && after.status === 'open'
  if (!isOpened && !isAssigned) return undefined
  if (isOpened && !existing.has(after.inboxId)) return 'conversation_inbox_deleted'
  if (after.teamId !== null && !existing.has(after.teamId)) return 'team_not_found'
  return after.ownerId === null || existing.has(after.ownerId) ? undefined : 'owner_not_found'
}

const toOwner = ({ ownerType, ownerId }: ConversationRow) =>
  ownerType === null ? null : { type: ownerType, id: ownerId! }

function withOwner(
  row: ConversationRow,
  owner: { type: 'user' | 'team' | 'bot'; id: string } | null,
): ConversationRow {
  return { ...row, activeOwner: owner, ownerType: owner?.type ?? null, ownerId: owner?.id ?? null }
}
