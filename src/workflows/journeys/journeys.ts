/** Journeys: workflows started by events. Trigger and entry mode are stored in the start node. */
import type { Tx } from '../../platform/db/db.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  applyOverrides,
  checkDraft,
  checkOverrides,
  emptyDefinition,
  getStart,
  type StartOverrides,
  toDefinition,
} from '../definition/definition.ts'
import {
  type Journey,
  type JourneyDraft,
  JourneyId,
  type JourneyPatch,
  type JourneyVersion,
  type NewJourney,
  type WorkflowDefinition,
} from '../schemas.ts'
import { toPauseReason } from '../status-events.ts'
import type { VersionRow } from '../store/versions.ts'
import { insertWorkflow, updateWorkflow, type WorkflowRow } from '../store/workflows.ts'
import {
  checkRevision,
  getWorkflow,
  getWorkflowForUpdate,
  recordChange,
  type WorkflowKey,
} from '../workflows.ts'

export function journeyToApi(row: WorkflowRow): Journey {
  const {
    id,
    tenantId,
    name,
    status,
    createdAt,
    updatedAt,
    definition,
    publishedVersionId,
    revision,
    updatedBy,
  } = row
  const { triggerConfig = null, entryMode, cooldown } = getStart(definition)
  return {
    id,
    tenantId,
    name,
    status,
    ...toPauseReason(row),
    createdAt,
    updatedAt,
    entryMode,
    ...(cooldown ? { cooldown } : {}),
    triggerConfig,
    definition,
    publishedVersionId,
    revision,
    updatedBy,
  }
}

export function journeyVersionToApi(row: VersionRow): JourneyVersion {
  const {
    id,
    workflowId,
    definition,
    triggerConfig,
    entryMode,
    createdBy: publishedBy,
    note,
    createdAt,
  } = row
  return { id, journeyId: workflowId, definition, triggerConfig, entryMode, createdAt, publishedBy, note }
}

/**
 * Writes `triggerConfig`, `entryMode` and `cooldown` of a request into the start node; 400 if both are given and differ. Those that
 * the request does not contain are kept.
 */
export function mergeJourneyDraft(input: JourneyDraft, current: WorkflowDefinition): WorkflowDefinition {
  const { triggerConfig, entryMode, cooldown } = input
  const given = input.definition && toDefinition(input.definition)
  if (given) checkOverrides(given, { triggerConfig, entryMode, cooldown }, 'definition')
  const kept = getStart(current).node?.data
  const inside = getStart(given ?? current).node?.data
  return applyOverrides(given ?? current, {
    triggerConfig: triggerConfig ?? inside?.triggerConfig ?? kept?.triggerConfig,
    entryMode: entryMode ?? inside?.entryMode ?? kept?.entryMode,
    cooldown: cooldown ?? inside?.cooldown ?? (inside?.entryMode === undefined ? kept?.cooldown : undefined),
  } as StartOverrides)
}

function buildDefinition(input: JourneyDraft, current = emptyDefinition): WorkflowDefinition {
  if (input.definition) checkDraft(toDefinition(input.definition), 'definition')
  const definition = mergeJourneyDraft(input, current)
  checkDraft(definition, 'definition')
  return definition
}

export async function createJourney(tx: Tx, caller: Caller, input: NewJourney): Promise<Journey> {
  const definition = buildDefinition(input)
  const row = { id: JourneyId.create(), kind: 'journey' as const, name: input.name, definition }
  await insertWorkflow(tx, caller.tenantId, { ...row, createdBy: caller.id })
  await recordChange(tx, caller, row, 'created')
  return journeyToApi(await getWorkflow(tx, caller.tenantId, 'journey', row.id))
}

export async function updateJourney(
  tx: Tx,
  caller: Caller,
  { id, ifMatch }: WorkflowKey,
  { revision, ...patch }: JourneyPatch,
): Promise<Journey> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, 'journey', id)
  ifMatch.check(row.revision)
  checkRevision(row, revision)
  if (Object.keys(patch).length === 0) return journeyToApi(row)
  const definition = buildDefinition(patch, row.definition)
  await updateWorkflow(tx, caller.tenantId, id, { name: patch.name, definition, updatedBy: caller.id })
  await emitChanged(tx, caller.tenantId, { kind: 'journey', id })
  return journeyToApi(await getWorkflow(tx, caller.tenantId, 'journey', id))
}
