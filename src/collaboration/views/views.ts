/** Saved views: a filter and an order of the inbox under a name, for one user, for teams or for the workspace. */
import type { Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ViewLimitReached, ViewNotFound } from '../errors.ts'
import { assertCanEdit, patchSharing, resolveSharing, type Sharing, toChangeAudience } from '../sharing.ts'
import {
  countViews,
  deleteViewRow,
  insertView,
  lockView,
  updateViewRow,
  type ViewRow,
  viewToApi,
} from '../store/views.ts'
import { type NewView, type View, ViewId, type ViewPatch } from './schemas.ts'

const maxShared = 200
const maxPrivate = 100
const editors = 'managers'

export async function createView(tx: Tx, caller: Caller, input: NewView): Promise<View> {
  const { tenantId } = caller
  const { scope, teamIds, name, filter, sort = null, position = 0 } = input
  const sharing = await resolveSharing(tx, caller, { scope, teamIds }, editors)
  await assertBelowLimit(tx, tenantId, sharing)
  const row: ViewRow = {
    id: ViewId.create(),
    name: name.trim(),
    filter,
    sort,
    position,
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

export async function updateView(tx: Tx, caller: Caller, id: string, patch: ViewPatch): Promise<View> {
  const { tenantId } = caller
  const before = await lockEditable(tx, caller, id)
  const { scope: _, teamIds: __, name, ...content } = patch
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
