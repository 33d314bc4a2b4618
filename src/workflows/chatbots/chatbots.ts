/**
 * Chatbots: workflows that reply in conversations. An active bot is assigned to its teams, or to all teams; the first bot
 * whose trigger matches takes a session.
 */
import { assignBot, releaseBotAssignments } from '../../conversations/opening/bot-assignment.ts'
import { lockCaller, type RoleDeps } from '../../identity/rights/reauthorize.ts'
import { lockExistingTeams } from '../../identity/users/users.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { checkDraft, emptyDefinition, toDefinition } from '../definition/definition.ts'
import {
  type Chatbot,
  type ChatbotDraft,
  ChatbotId,
  type ChatbotPatch,
  type ChatbotVersion,
  type NewChatbot,
  type WorkflowDefinition,
} from '../schemas.ts'
import { toPauseReason } from '../status-events.ts'
import type { VersionRow } from '../store/versions.ts'
import { insertWorkflow, replaceTeams, updateWorkflow, type WorkflowRow } from '../store/workflows.ts'
import {
  activateWorkflow,
  checkRevision,
  deleteWorkflow,
  getWorkflow,
  getWorkflowForUpdate,
  pauseWorkflow,
  recordChange,
  type WorkflowKey,
} from '../workflows.ts'
import { checkBotsReachable, lockBotOrder } from './bot-order.ts'

export function chatbotToApi(row: WorkflowRow): Chatbot {
  const {
    id,
    name,
    status,
    teamIds,
    position,
    createdAt,
    updatedAt,
    definition,
    publishedVersionId,
    revision,
    updatedBy,
  } = row
  return {
    id,
    name,
    status,
    ...toPauseReason(row),
    teamIds,
    position,
    createdAt,
    updatedAt,
    draft: definition,
    publishedVersionId,
    revision,
    updatedBy,
  }
}

export function chatbotVersionToApi(row: VersionRow): ChatbotVersion {
  const { id, workflowId, definition, createdBy: publishedBy, note, createdAt } = row
  return { id, chatbotId: workflowId, definition, createdAt, updatedAt: createdAt, publishedBy, note }
}

export function mergeChatbotDraft({ draft }: ChatbotDraft, current: WorkflowDefinition): WorkflowDefinition {
  return draft ? toDefinition(draft) : current
}

async function assign(tx: Tx, caller: Caller, { id, position }: WorkflowRow, teamIds: readonly string[]) {
  await assignBot(tx, caller.tenantId, { botId: id, position }, teamIds)
  await checkBotsReachable(tx, caller)
}

export async function createChatbot(tx: Tx, caller: Caller, input: NewChatbot): Promise<Chatbot> {
  const { name, teamIds = [], draft = emptyDefinition } = input
  const definition = toDefinition(draft)
  checkDraft(definition, 'draft')
  await lockExistingTeams(tx, caller.tenantId, teamIds)
  const row = { id: ChatbotId.create(), kind: 'chatbot' as const, name, definition }
  await insertWorkflow(tx, caller.tenantId, { ...row, createdBy: caller.id })
  await replaceTeams(tx, caller.tenantId, row.id, teamIds)
  await recordChange(tx, caller, row, 'created')
  return chatbotToApi(await getWorkflow(tx, caller.tenantId, 'chatbot', row.id))
}

/** Updates the draft; changes of teams take effect immediately, also for an active bot. */
export async function updateChatbot(
  tx: Tx,
  caller: Caller,
  { id, ifMatch }: WorkflowKey,
  { revision, ...patch }: ChatbotPatch,
): Promise<Chatbot> {
  const { name, teamIds } = patch
  const definition = patch.draft && toDefinition(patch.draft)
  if (definition) checkDraft(definition, 'draft')
  if (teamIds) await lockBotOrder(tx, caller.tenantId)
  const row = await getWorkflowForUpdate(tx, caller.tenantId, 'chatbot', id)
  ifMatch.check(row.revision)
  checkRevision(row, revision)
  if (Object.keys(patch).length === 0) return chatbotToApi(row)
  await updateWorkflow(tx, caller.tenantId, id, { name, definition, updatedBy: caller.id })
  await emitChanged(tx, caller.tenantId, { kind: 'chatbot', id })
  if (teamIds) {
    await lockExistingTeams(tx, caller.tenantId, teamIds)
    await replaceTeams(tx, caller.tenantId, id, teamIds)
    if (row.status === 'active') {
      await releaseBotAssignments(tx, caller.tenantId, [id])
      await assign(tx, caller, row, teamIds)
    }
  }
  return chatbotToApi(await getWorkflow(tx, caller.tenantId, 'chatbot', id))
}

export async function activateChatbot(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<WorkflowRow> {
  await lockCaller(deps, tx, caller)
  await lockBotOrder(tx, caller.tenantId)
  const row = await activateWorkflow(deps, tx, caller, 'chatbot', id)
  await assign(tx, caller, row, row.teamIds)
  return row
}

export async function pauseChatbot(tx: Tx, caller: Caller, id: string): Promise<WorkflowRow> {
  const row = await pauseWorkflow(tx, caller, 'chatbot', id)
  await releaseBotAssignments(tx, caller.tenantId, [id])
  return row
}

export async function deleteChatbot(tx: Tx, caller: Caller, key: WorkflowKey): Promise<void> {
  await deleteWorkflow(tx, caller, 'chatbot', key)
  await replaceTeams(tx, caller.tenantId, key.id, [])
}
