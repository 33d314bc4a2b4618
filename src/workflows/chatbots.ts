/**
 * Chatbots: workflows that reply in conversations. An active bot claims the assignments of its teams, or the default
 * assignment, so that each new session has at most one bot.
 */
import { claimBotAssignments, releaseBotAssignments } from '../conversations/bot-assignment.ts'
import { lockExistingTeams } from '../identity/users.ts'
import type { Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { checkDraft, emptyDefinition } from './definition/definition.ts'
import { ChatbotScopeTaken } from './errors.ts'
import {
  type Chatbot,
  ChatbotId,
  type ChatbotPatch,
  type ChatbotVersion,
  type NewChatbot,
} from './schemas.ts'
import type { VersionRow } from './store/versions.ts'
import { insertWorkflow, replaceTeams, updateWorkflow, type WorkflowRow } from './store/workflows.ts'
import {
  activateWorkflow,
  audit,
  deleteWorkflow,
  getWorkflow,
  getWorkflowForUpdate,
  pauseWorkflow,
} from './workflows.ts'

export function chatbotToApi(row: WorkflowRow): Chatbot {
  const { id, name, status, teamIds, createdAt, updatedAt, definition, publishedVersionId } = row
  return { id, name, status, teamIds, createdAt, updatedAt, draft: definition, publishedVersionId }
}

export function chatbotVersionToApi({ id, workflowId, definition, createdAt }: VersionRow): ChatbotVersion {
  return { id, chatbotId: workflowId, definition, createdAt, updatedAt: createdAt }
}

async function claim(tx: Tx, tenantId: string, id: string, teamIds: readonly string[]): Promise<void> {
  const taken = await claimBotAssignments(tx, tenantId, id, teamIds)
  if (taken.length === 0) return
  const teams = taken.map(teamId => teamId ?? 'conversations without a team').join(', ')
  fail(ChatbotScopeTaken, `another active chatbot replies for ${teams}; pause it first`)
}

export async function createChatbot(tx: Tx, caller: Caller, input: NewChatbot): Promise<Chatbot> {
  const { name, teamIds = [], draft: definition = emptyDefinition } = input
  checkDraft(definition, 'draft')
  await lockExistingTeams(tx, caller.tenantId, teamIds)
  const row = { id: ChatbotId.create(), kind: 'chatbot' as const, name, definition }
  await insertWorkflow(tx, caller.tenantId, { ...row, createdBy: caller.id })
  await replaceTeams(tx, caller.tenantId, row.id, teamIds)
  await audit(tx, caller, row, 'created')
  return chatbotToApi(await getWorkflow(tx, caller.tenantId, 'chatbot', row.id))
}

/** Updates the draft; changes of teams take effect immediately, also for an active bot. */
export async function updateChatbot(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: ChatbotPatch,
): Promise<Chatbot> {
  const { name, teamIds, draft: definition } = patch
  if (definition) checkDraft(definition, 'draft')
  const row = await getWorkflowForUpdate(tx, caller.tenantId, 'chatbot', id)
  await updateWorkflow(tx, caller.tenantId, id, { name, definition })
  if (teamIds) {
    await lockExistingTeams(tx, caller.tenantId, teamIds)
    await replaceTeams(tx, caller.tenantId, id, teamIds)
    if (row.status === 'active') {
      await releaseBotAssignments(tx, caller.tenantId, id)
      await claim(tx, caller.tenantId, id, teamIds)
    }
  }
  return chatbotToApi(await getWorkflow(tx, caller.tenantId, 'chatbot', id))
}

export async function activateChatbot(tx: Tx, caller: Caller, id: string): Promise<WorkflowRow> {
  const row = await activateWorkflow(tx, caller, 'chatbot', id)
  await claim(tx, caller.tenantId, id, row.teamIds)
  return row
}

export async function pauseChatbot(tx: Tx, caller: Caller, id: string): Promise<WorkflowRow> {
  const row = await pauseWorkflow(tx, caller, 'chatbot', id)
  await releaseBotAssignments(tx, caller.tenantId, id)
  return row
}

export async function deleteChatbot(tx: Tx, caller: Caller, id: string): Promise<void> {
  await deleteWorkflow(tx, caller, 'chatbot', id)
  await replaceTeams(tx, caller.tenantId, id, [])
}
