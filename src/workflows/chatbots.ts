/**
 * Chatbots: workflows that answer in conversations. An active one holds the routes of its teams, or that of everybody
 * else, so that for each new session there is at most one bot.
 */
import { claimBotAssignments, releaseBotAssignments } from '../conversations/bot-assignment.ts'
import { lockTeams } from '../identity/teams.ts'
import type { Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
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

async function checkTeams(tx: Tx, tenantId: string, teamIds: readonly string[]): Promise<void> {
  const known = await lockTeams(tx, tenantId, teamIds)
  const faults = teamIds.flatMap((id, i) =>
    known.has(id) ? [] : [violation(`teamIds[${i}]`, 'unknown_team', 'is not a team of this workspace')],
  )
  if (faults.length > 0) invalid(...faults)
}

async function claim(tx: Tx, tenantId: string, id: string, teamIds: readonly string[]): Promise<void> {
  const taken = await claimBotAssignments(tx, tenantId, id, teamIds)
  if (taken.length === 0) return
  const where = taken.map(teamId => teamId ?? 'everybody').join(', ')
  fail(ChatbotScopeTaken, `another active chatbot answers for ${where}`)
}

export async function createChatbot(tx: Tx, caller: Caller, input: NewChatbot): Promise<Chatbot> {
  const { name, teamIds = [], draft: definition = emptyDefinition } = input
  checkDraft(definition, 'draft')
  await checkTeams(tx, caller.tenantId, teamIds)
  const row = { id: ChatbotId.create(), kind: 'chatbot' as const, name, definition }
  await insertWorkflow(tx, caller.tenantId, { ...row, createdBy: caller.id })
  await replaceTeams(tx, caller.tenantId, row.id, teamIds)
  await audit(tx, caller, row, 'created')
  return chatbotToApi(await getWorkflow(tx, caller.tenantId, 'chatbot', row.id))
}

/** Teams count at once, also for an active bot; the draft when it is published. */
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
    await checkTeams(tx, caller.tenantId, teamIds)
    await replaceTeams(tx, caller.tenantId, id, teamIds)
    if (row.status === 'active') {
      await releaseBotAssignments(tx, caller.tenantId, id)
      await claim(tx, caller.tenantId, id, teamIds)
    }
  }
  return chatbotToApi(await getWorkflow(tx, caller.tenantId, 'chatbot', id))
}

export async function activateChatbot(tx: Tx, caller: Caller, id: string): Promise<Chatbot> {
  const row = await activateWorkflow(tx, caller, 'chatbot', id)
  await claim(tx, caller.tenantId, id, row.teamIds)
  return chatbotToApi(row)
}

export async function pauseChatbot(tx: Tx, caller: Caller, id: string): Promise<Chatbot> {
  const row = await pauseWorkflow(tx, caller, 'chatbot', id)
  await releaseBotAssignments(tx, caller.tenantId, id)
  return chatbotToApi(row)
}

export async function deleteChatbot(tx: Tx, caller: Caller, id: string): Promise<void> {
  await deleteWorkflow(tx, caller, 'chatbot', id)
  await replaceTeams(tx, caller.tenantId, id, [])
}
