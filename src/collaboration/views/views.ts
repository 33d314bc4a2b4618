/** Saved views: a filter and an order of conversations or contacts under a name, for one user, teams or the workspace. */
import Type from 'typebox'
import { ConversationFilter, ConversationSort } from '../../conversations/lists/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nullable, object } from '../../platform/http/schemas.ts'
import { type Check, createCheck } from '../../platform/http/validate.ts'
import { ContactFilter, filterViolations } from '../../segments/filter/filter.ts'
import { ContactSort } from '../../segments/schemas.ts'
import { ViewLimitReached, ViewNotFound } from '../errors.ts'
import { assertCanEdit, patchSharing, resolveSharing, type Sharing, toChangeAudience } from '../sharing.ts'
import {
  countViews,
  deleteViewRow,
  insertView,
  lockView,
  replaceViewOrder,
  updateViewRow,
  type ViewRow,
  viewToApi,
} from '../store/views.ts'
import { type AnyView, type NewView, ViewId, type ViewKind, type ViewPatch } from './schemas.ts'

const maxShared = 200
const maxPrivate = 100
const editors = 'managers'

export async function createView(tx: Tx, caller: Caller, input: NewView): Promise<AnyView> {
  const { tenantId } = caller
  const {
    kind = 'conversations',
    scope,
    teamIds,
    name,
    filter,
    sort = null,
    position = 0,
    columns = [],
  } = input
  checkContent(kind, { filter, sort })
  const sharing = await resolveSharing(tx, caller, { scope, teamIds }, editors)
  await assertBelowLimit(tx, tenantId, sharing)
  const row: ViewRow = {
    id: ViewId.create(),
    kind,
    name: name.trim(),
    filter,
    sort,
    position,
    columns,
    ...sharing,
    revision: 1,
    createdBy: caller.id,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await insertView(tx, tenantId, row)
  await emitChanged(tx, tenantId, { kind: 'view', id: row.id, revision: 1 }, toChangeAudience(row))
  return viewToApi(row)
}

const contents: Record<ViewKind, Check> = {
  conversations: createCheck(
    object({ filter: ConversationFilter, sort: Type.Optional(nullable(ConversationSort)) }),
  ),
  contacts: createCheck(object({ filter: ContactFilter, sort: Type.Optional(nullable(ContactSort)) })),
}

/** Throws unless filter and order are those of the kind. Unknown tags and fields are found when the view is applied. */
function checkContent(kind: ViewKind, { filter, sort }: Pick<ViewPatch, 'filter' | 'sort'>): void {
  contents[kind]({ filter, ...(sort === undefined ? {} : { sort }) })
  if (kind !== 'contacts') return
  const violations = filterViolations(filter as ContactFilter, 'filter')
  if (violations.length > 0) invalid(...violations)
}

export async function updateView(tx: Tx, caller: Caller, id: string, patch: ViewPatch): Promise<AnyView> {
  const { tenantId } = caller
  const before = await lockEditable(tx, caller, id)
  const { scope: _, teamIds: __, name, ...content } = patch
  checkContent(before.kind, { filter: before.filter, ...content })
  const after: ViewRow = {
    ...before,
    ...content,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(await patchSharing(tx, caller, before, patch, editors)),
    revision: before.revision + 1,
    updatedAt: tx.now,
  }
  if (after.ownerId !== before.ownerId) await assertBelowLimit(tx, tenantId, after)
  await updateViewRow(tx, tenantId, after)
  const change = { kind: 'view', id, revision: after.revision } as const
  await emitChanged(tx, tenantId, change, toChangeAudience(before, after))
  return viewToApi(after)
}

export async function deleteView(tx: Tx, caller: Caller, id: string): Promise<void> {
  const row = await lockEditable(tx, caller, id)
  await deleteViewRow(tx, caller.tenantId, id)
  await emitChanged(tx, caller.tenantId, { kind: 'view', id, revision: null }, toChangeAudience(row))
}

/** Other browsers of the user read the views again. */
export async function arrangeViews(
  tx: Tx,
  { tenantId, id }: Caller,
  viewIds: readonly string[],
): Promise<void> {
  await replaceViewOrder(tx, tenantId, id, viewIds)
  await emitChanged(tx, tenantId, { kind: 'view', id }, { userIds: [id], private: true })
}

async function lockEditable(tx: Tx, caller: Caller, id: string): Promise<ViewRow> {
  const row = (await lockView(tx, caller, id)) ?? fail(ViewNotFound)
  assertCanEdit(caller, row, editors)
  return row
}

async function assertBelowLimit(tx: Tx, tenantId: string, { ownerId }: Sharing): Promise<void> {
  const max = ownerId === '' ? maxShared : maxPrivate
  if ((await countViews(tx, tenantId, ownerId)) < max) return
  fail(ViewLimitReached, `there are at most ${max} ${ownerId === '' ? 'shared' : 'private'} views`)
}
