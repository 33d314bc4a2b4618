/** Explains why a contact did or did not enter a journey: status, entry mode, conditions, date and the latest events. */
import { isContactVisible } from '../../contacts/contact-views.ts'
import { findContact } from '../../contacts/contacts.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { explainFilter } from '../../segments/filter/filter.ts'
import { loadSubjects } from '../../segments/subjects.ts'
import { getPublisher } from '../engine/publisher/publishers.ts'
import { resolveFilter } from '../engine/waits/conditions.ts'
import type { EntryExplanation } from '../runs/run-schemas.ts'
import { runToApi } from '../runs/runs.ts'
import { listRuns } from '../store/runs/run-lists.ts'
import { findVersion, type VersionRow } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import { getConditions } from '../triggers/conditions.ts'
import { getWorkflow } from '../workflows.ts'
import { explainDueDate } from './due-date.ts'
import { explainKeys, findEntryRefusal, isKeyed, type Reason } from './entry-mode.ts'
import { explainEvents } from './explain-events.ts'

/** More runs of one contact than an explanation needs. */
const maxRuns = 200

export async function explainEntry(
  db: Db,
  caller: Caller,
  journeyId: string,
  givenContactId: string,
): Promise<EntryExplanation> {
  const { tenantId } = caller
  const journey = await getWorkflow(db, tenantId, 'journey', journeyId)
  const contactId = await findContact(db, caller, givenContactId)
  const { publishedVersionId } = journey
  const version =
    publishedVersionId === null ? undefined : await findVersion(db, tenantId, 'journey', publishedVersionId)
  const page = { limit: maxRuns, after: undefined }
  const runs = await listRuns(db, tenantId, { workflowId: journeyId, contactId }, page)
  const explained = version && (await explainVersion(db, tenantId, contactId, version, runs))
  const reasons = [...statusReasons(journey), ...(explained?.reasons ?? [])]
  return {
    journeyId,
    contactId,
    wouldEnter: reasons.length === 0,
    reasons,
    conditions: explained?.conditions ?? [],
    ...(explained?.keys ? { keys: explained.keys } : {}),
    latestRun: runs[0] ? runToApi(runs[0]) : null,
    events: explained?.events ?? [],
  }
}

function statusReasons({ status, publishedVersionId }: WorkflowRow): Reason[] {
  if (publishedVersionId === null)
    return [{ code: 'journey_not_published', message: 'the journey has no published version' }]
  return status === 'active' ? [] : [{ code: 'journey_not_active', message: `the journey is ${status}` }]
}

type ExplainedVersion = Pick<EntryExplanation, 'reasons' | 'conditions' | 'events' | 'keys'>

async function explainVersion(
  db: Db,
  tenantId: string,
  contactId: string,
  version: VersionRow,
  runs: Awaited<ReturnType<typeof listRuns>>,
): Promise<ExplainedVersion> {
  const { triggerConfig: trigger, entryMode } = version
  const now = db.clock.now()
  const filter = getConditions(trigger)
  const [contact] = await loadSubjects(db, tenantId, [contactId], filter ? [filter] : [])
  const explanation =
    filter && contact && explainFilter(await resolveFilter(db, tenantId, filter), contact, now)
  const keyed = isKeyed(trigger, runs)
  const refusal = keyed ? undefined : findEntryRefusal(entryMode, runs, '', now.toISOString())
  const reasons: (Reason | undefined)[] = [
    await explainPublisher(db, tenantId, contactId, version.id),
    contact && contact.archivedAt !== null && trigger.type !== 'contact_archived'
      ? { code: 'archived', message: 'the contact is archived' }
      : undefined,
    refusal,
    explanation?.matches === false
      ? { code: 'conditions_not_met', message: 'the contact does not match the conditions of the trigger' }
      : undefined,
    trigger.type === 'date_reached'
      ? explainDueDate(trigger, contact?.fields[String(trigger.fieldId)], now)
      : undefined,
  ]
  return {
    reasons: reasons.filter(reason => reason !== undefined),
    conditions: explanation?.conditions ?? [],
    events: await explainEvents(db, tenantId, contactId, version, runs),
    ...(keyed ? { keys: explainKeys(entryMode, runs, now.toISOString()) } : {}),
  }
}

async function explainPublisher(
  db: Db,
  tenantId: string,
  contactId: string,
  versionId: string,
): Promise<Reason | undefined> {
  const { hasLostRights, viewer } = await getPublisher(db, tenantId, versionId)
  if (hasLostRights)
    return { code: 'publisher_rights_lost', message: 'the publisher lost rights that the nodes need' }
  if (!viewer || (await isContactVisible(db, viewer, contactId))) return undefined
  return { code: 'not_visible', message: 'the agent who published the journey cannot see the contact' }
}
