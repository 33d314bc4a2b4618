/** Actions on many contacts. */
import { findAccess } from '../../identity/rights/reauthorize.ts'
import { type Batch, defineBulk } from '../../platform/bulk/bulk.ts'
import type { BulkToApi } from '../../platform/bulk/schemas.ts'
import { saveUndoProgress, selectGiven } from '../../platform/bulk/store/bulk-actions.ts'
import { setActor } from '../../platform/db/actor.ts'
import type { Tx } from '../../platform/db/db.ts'
import { raw, type Sql } from '../../platform/db/sql.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Viewer } from '../access.ts'
import { listVisibleContacts } from '../contact-views.ts'
import { lockContact } from '../contacts.ts'
import { ContactBulkNotFound, ContactBulkUndoExpired } from '../errors.ts'
import {
  type ContactItem,
  type ContactOutcome,
  contactBulkTables,
  listContactItems,
  saveContactOutcomes,
} from '../store/bulk/bulk-actions.ts'
import { tagExists } from '../store/tags-and-fields/tags.ts'
import { valueViolation } from '../tags-and-fields/custom-field-values.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { type ActionContext, applyAction, revertAction } from './apply.ts'
import { actionScopes, type ContactAction, ContactBulkId } from './schemas.ts'

const batchSize = 200
type ContactBatch = Batch<ContactAction, ContactItem>

export const contactBulk = defineBulk<ContactAction, ContactItem>({
  domain: 'contacts',
  kind: 'contact_bulk',
  tables: contactBulkTables,
  createId: ContactBulkId.create,
  resources: 'contacts',
  scopes: actionScopes,
  notFound: ContactBulkNotFound,
  undoExpired: ContactBulkUndoExpired,
  isUndoable: action => action.type !== 'delete',
  purgeSchedule: '13 * * * *',
  listItems: (tx, bulk, position) => listContactItems(tx, bulk, position, batchSize),
  change: changeBatch,
  undo: undoBatch,
})

export const selectGivenContacts = (tenantId: string, ids: readonly string[]): Sql =>
  selectGiven(raw('contacts'), tenantId, ids)

/** `select` returns the `id` of each contact, at most one more than allowed. */
export async function startContactBulk(
  tx: Tx,
  caller: Caller,
  action: ContactAction,
  select: Sql,
): Promise<BulkToApi<ContactAction>> {
  await checkAction(tx, caller, action)
  return contactBulk.start(tx, caller, action, select)
}

async function checkAction(tx: Tx, { tenantId }: Caller, action: ContactAction): Promise<void> {
  if (action.type === 'addTag' || action.type === 'removeTag') {
    if (!(await tagExists(tx, tenantId, action.tagId)))
      invalid(violation('action.tagId', 'unknown_tag', 'is not a tag of this workspace'))
  }
  if (action.type !== 'setField') return
  const field = (await getFieldDefinitions(tx, tenantId)).byId.get(action.fieldId)
  if (!field)
    return invalid(violation('action.fieldId', 'unknown_field', 'is not a custom field of this workspace'))
  const wrong = action.value === '' ? undefined : valueViolation(field, action.value, 'action.value')
  if (wrong) invalid(wrong)
}

/** Locks in the order of the ids, as every change of several contacts does. */
async function changeBatch(tx: Tx, batch: ContactBatch): Promise<void> {
  const { tenantId, bulk, items } = batch
  await setActor(tx, { type: bulk.createdByKind, id: bulk.createdBy })
  const viewer = await findViewer(tx, batch, bulk.createdBy)
  const context = viewer && (await loadContext(tx, batch, viewer))
  const ids = items.map(item => item.contactId)
  const visible = viewer ? await listVisibleContacts(tx, viewer, ids) : new Set<string>()
  const outcomes: ContactOutcome[] = []
  for (const { n, contactId } of items) {
    const contact = context && visible.has(contactId) && (await lockContact(tx, tenantId, contactId))
    outcomes.push(
      contact ? { n, ...(await applyAction(tx, context, contact)) } : { n, result: 'failed', before: null },
    )
  }
  await saveContactOutcomes(tx, tenantId, bulk.id, outcomes)
}

async function undoBatch(tx: Tx, batch: ContactBatch): Promise<void> {
  const { tenantId, bulk, items } = batch
  await setActor(tx, { type: bulk.undoneByKind!, id: bulk.undoneBy! })
  const viewer = await findViewer(tx, batch, bulk.undoneBy!)
  const context = viewer && (await loadContext(tx, batch, viewer))
  let restored = 0
  const changed = items.filter(item => item.result === 'changed')
  for (const { contactId, before } of changed) {
    const contact = context && (await lockContact(tx, tenantId, contactId))
    if (contact && (await revertAction(tx, context, contact, before))) restored++
  }
  await saveUndoProgress(
    tx,
    contactBulkTables,
    { tenantId, id: bulk.id },
    { position: items.at(-1)!.n, restored, notRestored: changed.length - restored },
  )
}

/** The person who started or undid the action, with their present rights; without them, nothing is visible. */
async function findViewer(
  tx: Tx,
  { deps, tenantId, bulk }: ContactBatch,
  id: string,
): Promise<Viewer | undefined> {
  const access = await findAccess(deps, tx, tenantId, id)
  return access?.scopes.has(actionScopes[bulk.action.type]) ? { ...access, tenantId, id } : undefined
}

async function loadContext(tx: Tx, { tenantId, bulk }: ContactBatch, viewer: Viewer): Promise<ActionContext> {
  return { viewer, action: bulk.action, definitions: await getFieldDefinitions(tx, tenantId) }
}
