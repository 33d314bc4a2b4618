/** Why a contact did or did not enter a journey: its state, the entry mode, the conditions, and the latest events. */
import { findContact } from '../contacts/contacts.ts'
import { contactSnapshots } from '../contacts/snapshots.ts'
import type { Db } from '../platform/db/db.ts'
import type { LogEvent } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Explanation, explainFilter } from '../segments/filter/filter.ts'
import { deepestCause } from './engine/entering.ts'
import { contactOf } from './engine/listening.ts'
import { isLive, type Run } from './engine/run.ts'
import { standingFilter } from './engine/standing-filter.ts'
import { getWorkflow } from './lifecycle.ts'
import type { EntryExplanation } from './run-schemas.ts'
import { runToWire } from './runs.ts'
import { latestEvents } from './store/latest-events.ts'
import { latestRunOf } from './store/runs.ts'
import { findVersion } from './store/versions.ts'
import { triggerKindOf } from './triggers/all.ts'
import { conditionsOf } from './triggers/conditions.ts'
import type { EntryMode, TriggerConfig } from './triggers/kind.ts'

type Reason = EntryExplanation['reasons'][number]

const mostEvents = 20

export async function explainEntry(
  db: Db,
  caller: Caller,
  journeyId: string,
  askedId: string,
): Promise<EntryExplanation> {
  const { tenantId } = caller
  const journey = await getWorkflow(db, tenantId, 'journey', journeyId)
  const contactId = await findContact(db, caller, askedId)
  const version =
    journey.publishedVersionId === null
      ? undefined
      : await findVersion(db, tenantId, 'journey', journey.publishedVersionId)
  const latest = await latestRunOf(db, tenantId, journeyId, contactId)
  const explained = version && (await conditionsFor(db, tenantId, version.triggerConfig, contactId))
  const reasons = [
    ...statusReasons(journey.status, version !== undefined),
    ...(version ? modeReasons(version.entryMode, latest) : []),
    ...(explained?.matches === false
      ? [{ code: 'conditions_not_met', message: 'the contact does not match the conditions of the trigger' }]
      : []),
  ]
  return {
    journeyId,
    contactId,
    wouldEnter: reasons.length === 0,
    reasons,
    conditions: explained?.conditions ?? [],
    latestRun: latest ? runToWire(latest) : null,
    events: version ? await eventsFor(db, tenantId, version.triggerConfig, contactId) : [],
  }
}

function statusReasons(status: string, published: boolean): Reason[] {
  if (!published) return [{ code: 'journey_not_published', message: 'the journey has no published version' }]
  return status === 'active' ? [] : [{ code: 'journey_not_active', message: `the journey is ${status}` }]
}

function modeReasons(mode: EntryMode, latest: Run | undefined): Reason[] {
  if (!latest || mode === 'every_time') return []
  if (mode === 'once')
    return [{ code: 'entered_before', message: `the contact has entered it at ${latest.startedAt}` }]
  return isLive(latest) ? [{ code: 'already_inside', message: 'a run of the contact is under way' }] : []
}

async function conditionsFor(
  db: Db,
  tenantId: string,
  trigger: TriggerConfig,
  contactId: string,
): Promise<Explanation | undefined> {
  const filter = conditionsOf(trigger)
  const [contact] = await contactSnapshots(db, tenantId, [contactId])
  if (!filter || !contact) return undefined
  return explainFilter(await standingFilter(db, tenantId, filter), contact, db.clock.now())
}

async function eventsFor(
  db: Db,
  tenantId: string,
  trigger: TriggerConfig,
  contactId: string,
): Promise<EntryExplanation['events']> {
  const kind = triggerKindOf(trigger.type)
  if (!kind || kind.events.length === 0) return []
  const events = await latestEvents(db, tenantId, kind.events)
  return events
    .filter(event => contactOf(event) === contactId)
    .slice(0, mostEvents)
    .map(event => ({ type: event.type, timestamp: event.timestamp, ...outcomeOf(trigger, event) }))
}

function outcomeOf(trigger: TriggerConfig, event: LogEvent): { outcome: string; message: string } {
  const kind = triggerKindOf(trigger.type)!
  const { importId } = event.data as { importId?: string }
  if (event.causeDepth > deepestCause)
    return { outcome: 'cause_too_deep', message: 'journeys had caused it, one after the other' }
  if (importId !== undefined && !kind.imported?.(trigger as never))
    return { outcome: 'from_import', message: 'an import made the change' }
  return kind.match?.(trigger as never, event)
    ? { outcome: 'matched', message: 'it is what the trigger looks for' }
    : { outcome: 'not_matched', message: 'it is not what the trigger looks for' }
}
