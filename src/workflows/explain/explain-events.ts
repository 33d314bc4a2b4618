/** Explains how a journey handled the latest events about a contact. */
import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { listAudit } from '../../identity/audit.ts'
import type { Db } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { listLatestEvents } from '../../platform/events/log.ts'
import { getStart } from '../definition/definition.ts'
import { maxCausationDepth } from '../engine/enrollment/enroll.ts'
import type { Run } from '../engine/run/run.ts'
import { getContactId } from '../engine/waits/event-waits.ts'
import { addDuration, type Cooldown } from '../nodes/node-fields.ts'
import type { EntryExplanation } from '../runs/run-schemas.ts'
import type { VersionRow } from '../store/versions.ts'
import { findTriggerType } from '../triggers/registry.ts'
import type { Entry, TriggerConfig } from '../triggers/trigger-type.ts'
import { findEntryRefusal } from './entry-mode.ts'

const maxEvents = 20
const maxStatusChanges = 200

interface Outcome {
  outcome: string
  message: string
}

interface EventContext {
  db: Db
  version: VersionRow
  /** Runs of the contact, newest first. */
  runs: readonly Run[]
  wasActiveAt: (time: string) => boolean
}

export async function explainEvents(
  db: Db,
  tenantId: string,
  contactId: string,
  version: VersionRow,
  runs: readonly Run[],
): Promise<EntryExplanation['events']> {
  const type = findTriggerType(version.triggerConfig.type)
  if (!type || type.events.length === 0) return []
  const events = await listLatestEvents(db, tenantId, type.events)
  const own = events.filter(event => getContactId(event) === contactId).slice(0, maxEvents)
  const wasActiveAt = await loadStatusHistory(db, tenantId, version.workflowId)
  const context = { db, version, runs, wasActiveAt }
  return Promise.all(
    own.map(async event => ({
      type: event.type,
      timestamp: event.timestamp,
      ...(await explainEvent(context, event)),
    })),
  )
}

/** Returns whether the journey was active at a time; true for times before the recorded changes that were read. */
async function loadStatusHistory(
  db: Db,
  tenantId: string,
  journeyId: string,
): Promise<(time: string) => boolean> {
  const entries = await listAudit(db, tenantId, { targetId: journeyId }, { limit: maxStatusChanges })
  const changes = entries.filter(({ action }) => /^journey\.(created|activated|paused)$/.test(action))
  const isComplete = entries.length <= maxStatusChanges
  return time => {
    const change = changes.find(({ at }) => at <= time)
    return change ? change.action === 'journey.activated' : !isComplete
  }
}

async function explainEvent(context: EventContext, event: LogEvent): Promise<Outcome> {
  const { db, version } = context
  const trigger: TriggerConfig = version.triggerConfig
  const type = findTriggerType(trigger.type)!
  const { importId } = event.data as { importId?: string }
  if (event.causationDepth > maxCausationDepth)
    return { outcome: 'cause_too_deep', message: `more than ${maxCausationDepth} runs caused it in sequence` }
  if (importId !== undefined && !type.includesImported?.(trigger as never))
    return { outcome: 'from_import', message: 'the change was made by an import' }
  const entry = type.match?.(trigger as never, event)
  const isMatch = entry && ((await type.confirm?.(db, event.tenantId, trigger as never, entry)) ?? true)
  return isMatch
    ? explainMatch(context, entry, event.timestamp)
    : { outcome: 'not_matched', message: 'the event does not match the trigger' }
}

/** Undoes moves of the sandbox clock, which shorten cooldowns: the event may have come before them. */
function restoreCooldowns({ definition }: VersionRow, runs: readonly Run[]): Run[] {
  const { cooldown } = (getStart(definition).node?.data ?? {}) as { cooldown?: Static<typeof Cooldown> }
  return runs.map(run => {
    if (run.reenterAt === null || cooldown === undefined) return run
    const original = addDuration(new Date(run.startedAt), cooldown.for).toISOString()
    return original > run.reenterAt ? { ...run, reenterAt: original } : run
  })
}

function explainMatch({ version, runs, wasActiveAt }: EventContext, entry: Entry, at: string): Outcome {
  const started = runs.findLast(run => run.startedAt >= at && isDeepStrictEqual(run.event, entry.event))
  if (started)
    return { outcome: 'matched', message: `the event matches the trigger and started ${started.id}` }
  if (!wasActiveAt(at))
    return { outcome: 'journey_not_active', message: 'the journey was not active when the event arrived' }
  const refusal = findEntryRefusal(
    version.entryMode,
    restoreCooldowns(version, runs),
    entry.event.key ?? '',
    at,
  )
  if (refusal) return { outcome: refusal.code, message: refusal.message }
  return { outcome: 'matched', message: 'the event matches the trigger' }
}
