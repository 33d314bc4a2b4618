/** Explains why a contact did or did not enter a journey: status, entry mode, conditions and the latest events. */

import { loadSnapshots } from '../contacts/contact-views.ts'
import { findContact } from '../contacts/contacts.ts'
import type { Db } from '../platform/db/db.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { listLatestEvents } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Explanation, explainFilter } from '../segments/filter/filter.ts'
import { maxCausationDepth } from './engine/enrollment/enroll.ts'
import { isInProgress, type Run } from './engine/run/run.ts'
import { resolveFilter } from './engine/waits/conditions.ts'
import { getContactId } from './engine/waits/event-waits.ts'
import type { EntryExplanation } from './run-schemas.ts'
import { runToApi } from './runs.ts'
import { findLatestRun } from './store/runs.ts'
import { findVersion } from './store/versions.ts'
import { getConditions } from './triggers/conditions.ts'
import { findTriggerType } from './triggers/registry.ts'
import type { EntryMode, TriggerConfig } from './triggers/trigger-type.ts'
import { getWorkflow } from './workflows.ts'

type Reason = EntryExplanation['reasons'][number]

const maxEvents = 20

export async function explainEntry(
  db: Db,
  caller: Caller,
  journeyId: string,
  givenContactId: string,
): Promise<EntryExplanation> {
  const { tenantId } = caller
  const journey = await getWorkflow(db, tenantId, 'journey', journeyId)
  const contactId = await findContact(db, caller, givenContactId)
  const version =
    journey.publishedVersionId === null
      ? undefined
      : await findVersion(db, tenantId, 'journey', journey.publishedVersionId)
  const latest = await findLatestRun(db, tenantId, journeyId, contactId)
  const explanation = version && (await explainConditions(db, tenantId, version.triggerConfig, contactId))
  const reasons = [
    ...statusReasons(journey.status, version !== undefined),
    ...(version ? entryModeReasons(version.entryMode, latest, db.clock.now()) : []),
    ...(explanation?.matches === false
      ? [{ code: 'conditions_not_met', message: 'the contact does not match the conditions of the trigger' }]
      : []),
  ]
  return {
    journeyId,
    contactId,
    wouldEnter: reasons.length === 0,
    reasons,
    conditions: explanation?.conditions ?? [],
    latestRun: latest ? runToApi(latest) : null,
    events: version ? await explainEvents(db, tenantId, version.triggerConfig, contactId) : [],
  }
}

function statusReasons(status: string, published: boolean): Reason[] {
  if (!published) return [{ code: 'journey_not_published', message: 'the journey has no published version' }]
  return status === 'active' ? [] : [{ code: 'journey_not_active', message: `the journey is ${status}` }]
}

function entryModeReasons(mode: EntryMode, latest: Run | undefined, now: Date): Reason[] {
  if (!latest || mode === 'every_time') return []
  if (mode === 'cooldown')
    return latest.reenterAt !== null && latest.reenterAt > now.toISOString()
      ? [{ code: 'cooling_down', message: `the contact may enter again at ${latest.reenterAt}` }]
      : []
  if (mode === 'once')
    return [{ code: 'entered_before', message: `the contact entered at ${latest.startedAt}` }]
  return isInProgress(latest)
    ? [{ code: 'already_inside', message: 'a run of the contact is in progress' }]
    : []
}

async function explainConditions(
  db: Db,
  tenantId: string,
  trigger: TriggerConfig,
  contactId: string,
): Promise<Explanation | undefined> {
  const filter = getConditions(trigger)
  const [contact] = await loadSnapshots(db, tenantId, [contactId])
  if (!filter || !contact) return undefined
  return explainFilter(await resolveFilter(db, tenantId, filter), contact, db.clock.now())
}

async function explainEvents(
  db: Db,
  tenantId: string,
  trigger: TriggerConfig,
  contactId: string,
): Promise<EntryExplanation['events']> {
  const type = findTriggerType(trigger.type)
  if (!type || type.events.length === 0) return []
  const events = await listLatestEvents(db, tenantId, type.events)
  const own = events.filter(event => getContactId(event) === contactId).slice(0, maxEvents)
  return Promise.all(
    own.map(async event => ({
      type: event.type,
      timestamp: event.timestamp,
      ...(await explainEvent(db, trigger, event)),
    })),
  )
}

async function explainEvent(
  db: Db,
  trigger: TriggerConfig,
  event: LogEvent,
): Promise<{ outcome: string; message: string }> {
  const type = findTriggerType(trigger.type)!
  const { importId } = event.data as { importId?: string }
  if (event.causationDepth > maxCausationDepth)
    return { outcome: 'cause_too_deep', message: `more than ${maxCausationDepth} runs caused it in sequence` }
  if (importId !== undefined && !type.includesImported?.(trigger as never))
    return { outcome: 'from_import', message: 'the change was made by an import' }
  const entry = type.match?.(trigger as never, event)
  const isMatch = entry && ((await type.confirm?.(db, event.tenantId, trigger as never, entry)) ?? true)
  return isMatch
    ? { outcome: 'matched', message: 'the event matches the trigger' }
    : { outcome: 'not_matched', message: 'the event does not match the trigger' }
}
