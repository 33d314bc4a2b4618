/** Journeys: workflows started by events. Trigger and entry mode are stored in the start node. */
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import {
  applyOverrides,
  checkDraft,
  checkOverrides,
  emptyDefinition,
  getStart,
} from './definition/definition.ts'
import {
  type Journey,
  JourneyId,
  type JourneyPatch,
  type JourneyVersion,
  type NewJourney,
} from './schemas.ts'
import type { VersionRow } from './store/versions.ts'
import { insertWorkflow, updateWorkflow, type WorkflowRow } from './store/workflows.ts'
import { audit, getWorkflow, getWorkflowForUpdate } from './workflows.ts'

export function journeyToApi(row: WorkflowRow): Journey {
  const { id, tenantId, name, status, createdAt, updatedAt, definition, publishedVersionId } = row
  const { triggerConfig = null, entryMode } = getStart(definition)
  return {
    id,
    tenantId,
    name,
    status,
    createdAt,
    updatedAt,
    entryMode,
    triggerConfig,
    definition,
    publishedVersionId,
  }
}

export function journeyVersionToApi(row: VersionRow): JourneyVersion {
  const { id, workflowId, definition, triggerConfig, entryMode, createdAt } = row
  return { id, journeyId: workflowId, definition, triggerConfig, entryMode, createdAt }
}

/** Writes `triggerConfig` and `entryMode` of a request into the start node; 400 if both are given and differ. */
function buildDefinition(input: JourneyPatch, current = emptyDefinition) {
  const { triggerConfig, entryMode } = input
  if (input.definition) {
    checkDraft(input.definition, 'definition')
    checkOverrides(input.definition, { triggerConfig, entryMode }, 'definition')
  }
  const definition = applyOverrides(input.definition ?? current, { triggerConfig, entryMode })
  checkDraft(definition, 'definition')
  return definition
}

export async function createJourney(tx: Tx, caller: Caller, input: NewJourney): Promise<Journey> {
  const definition = buildDefinition(input)
  const row = { id: JourneyId.create(), kind: 'journey' as const, name: input.name, definition }
  await insertWorkflow(tx, caller.tenantId, { ...row, createdBy: caller.id })
  await audit(tx, caller, row, 'created')
  return journeyToApi(await getWorkflow(tx, caller.tenantId, 'journey', row.id))
}

export async function updateJourney(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: JourneyPatch,
): Promise<Journey> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, 'journey', id)
  const definition = buildDefinition(patch, row.definition)
  await updateWorkflow(tx, caller.tenantId, id, { name: patch.name, definition })
  return journeyToApi(await getWorkflow(tx, caller.tenantId, 'journey', id))
}
