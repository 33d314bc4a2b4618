/** Validates a draft as publishing it would, without publishing it. */
import type { Deps } from '../platform/deps.ts'
import { type Violation, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { findScopeConflict } from './chatbots/bot-order.ts'
import { draftViolations, getDefinitionPath, getEntryConfig, getStart } from './definition/definition.ts'
import type { CampaignExists } from './definition/references.ts'
import { rightsViolations } from './definition/rights.ts'
import { findViolations, maxViolations } from './definition/validation.ts'
import { findWarnings } from './definition/warnings.ts'
import { ChatbotScopeTaken } from './errors.ts'
import type { WorkflowValidation } from './schemas.ts'
import type { WorkflowRow } from './store/workflows.ts'

/** Takes the workflow with the definition to check, which may differ from the stored one. */
export async function validateDraft(
  deps: Deps,
  caller: Caller,
  workflow: WorkflowRow,
  campaignExists: CampaignExists,
): Promise<WorkflowValidation> {
  const { kind, definition } = workflow
  const ofDraft = draftViolations(definition, getDefinitionPath(kind))
  if (ofDraft.length > 0) return { violations: ofDraft.slice(0, maxViolations), warnings: [] }
  const ofDefinition = await findViolations(deps, workflow, campaignExists)
  const isComplete = ofDefinition.length === 0
  const violations = [
    ...ofDefinition,
    ...rightsViolations(kind, definition, caller),
    ...(isComplete ? await scopeViolations(deps, workflow) : []),
  ]
  return {
    violations: violations.slice(0, maxViolations),
    warnings: isComplete ? findWarnings(kind, definition) : [],
  }
}

/** Publishing applies to an active chatbot immediately, and activates one that the service has paused. */
async function scopeViolations({ db }: Deps, workflow: WorkflowRow): Promise<Violation[]> {
  const { kind, tenantId, id, status, pauseReason, definition } = workflow
  if (kind !== 'chatbot' || (status !== 'active' && pauseReason === null)) return []
  const { triggerConfig } = getEntryConfig(kind, definition)
  const conflict = await findScopeConflict(db, tenantId, id, triggerConfig!)
  if (conflict === undefined) return []
  const field = `${getDefinitionPath(kind)}.nodes[${getStart(definition).index}].data.triggerConfig`
  return [violation(field, ChatbotScopeTaken.code, conflict)]
}
