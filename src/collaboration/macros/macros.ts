/** Macros: lists of actions under a name, for one user, for teams or for the workspace. */
import { checkOwner } from '../../conversations/conversation-actions.ts'
import { lockLabels } from '../../conversations/labels/labels.ts'
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid, type Violation, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { MacroLimitReached, MacroNotFound } from '../errors.ts'
import { checkPlaceholders } from '../saved-replies/placeholders.ts'
import { assertCanEdit, patchSharing, resolveSharing, type Sharing, toChangeAudience } from '../sharing.ts'
import {
  countMacros,
  deleteMacroRow,
  insertMacro,
  lockMacro,
  type MacroRow,
  macroToApi,
  updateMacroRow,
} from '../store/macros.ts'
import { findSavedReply } from '../store/saved-replies.ts'
import { type Macro, type MacroAction, MacroId, type MacroPatch, type NewMacro, ownerMe } from './schemas.ts'

const maxShared = 500
const maxPrivate = 100
const editors = 'members'

export async function createMacro(tx: Tx, caller: Caller, input: NewMacro): Promise<Macro> {
  const { tenantId } = caller
  const sharing = await resolveSharing(tx, caller, input, editors)
  await assertBelowLimit(tx, tenantId, sharing)
  await checkActions(tx, caller, input.actions)
  const row: MacroRow = {
    id: MacroId.create(),
    name: input.name.trim(),
    actions: input.actions,
    ...sharing,
    revision: 1,
    createdBy: caller.id,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await insertMacro(tx, tenantId, row)
  await emitChanged(tx, tenantId, { kind: 'macro', id: row.id, revision: 1 }, toChangeAudience(row))
  return macroToApi(row)
}

export async function updateMacro(tx: Tx, caller: Caller, id: string, patch: MacroPatch): Promise<Macro> {
  const { tenantId } = caller
  const before = await lockEditable(tx, caller, id)
  if (patch.actions) await checkActions(tx, caller, patch.actions)
  const { name = before.name, actions = before.actions } = patch
  const after: MacroRow = {
    ...before,
    name: name.trim(),
    actions,
    ...(await patchSharing(tx, caller, before, patch, editors)),
    revision: before.revision + 1,
    updatedAt: tx.now,
  }
  if (after.ownerId !== before.ownerId) await assertBelowLimit(tx, tenantId, after)
  await updateMacroRow(tx, tenantId, after)
  const change = { kind: 'macro', id, revision: after.revision } as const
  await emitChanged(tx, tenantId, change, toChangeAudience(before, after))
  return macroToApi(after)
}

export async function deleteMacro(tx: Tx, caller: Caller, id: string): Promise<void> {
  const row = await lockEditable(tx, caller, id)
  await deleteMacroRow(tx, caller.tenantId, id)
  await emitChanged(tx, caller.tenantId, { kind: 'macro', id, revision: null }, toChangeAudience(row))
}

async function lockEditable(tx: Tx, caller: Caller, id: string): Promise<MacroRow> {
  const row = (await lockMacro(tx, caller, id)) ?? fail(MacroNotFound)
  assertCanEdit(caller, row, editors)
  return row
}

async function assertBelowLimit(tx: Tx, tenantId: string, { ownerId }: Sharing): Promise<void> {
  const max = ownerId === '' ? maxShared : maxPrivate
  if ((await countMacros(tx, tenantId, ownerId)) < max) return
  fail(MacroLimitReached, `there are at most ${max} ${ownerId === '' ? 'shared' : 'private'} macros`)
}

/** Throws unless every label, owner, saved reply and placeholder exists. Running a macro checks them again. */
async function checkActions(tx: Tx, caller: Caller, actions: readonly MacroAction[]): Promise<void> {
  const labelIds = actions.flatMap(action => ('labelId' in action ? [action.labelId] : []))
  const labels = await lockLabels(tx, caller.tenantId, labelIds)
  const violations: Violation[] = []
  for (const [i, action] of actions.entries()) {
    const path = `actions[${i}]`
    if ('labelId' in action && !labels.has(action.labelId))
      violations.push(violation(`${path}.labelId`, 'unknown_label', 'is not a label of this workspace'))
    if (action.type === 'savedReply' && !(await findSavedReply(tx, caller, action.savedReplyId)))
      violations.push(
        violation(`${path}.savedReplyId`, 'unknown_saved_reply', 'is not a saved reply that you see'),
      )
    if (action.type === 'assign' && !isMe(action.owner))
      await checkOwner(tx, caller.tenantId, action.owner, `${path}.owner.id`)
    if (action.type === 'reply') await checkPlaceholders(tx, caller.tenantId, action.text, `${path}.text`)
  }
  if (violations.length > 0) invalid(...violations)
}

export function isMe(owner: Extract<MacroAction, { type: 'assign' }>['owner']): boolean {
  return owner.type === 'user' && owner.id === ownerMe
}
