/**
 * Decides which question a customer's message answers. Each message answers at most one: that of the run whose message it
 * quotes, else the newest question in its conversation. Questions of journeys come before those of bots.
 */
import { listConversationIds } from '../../../conversations/messages/messages.ts'
import type { Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { findRunOfMessage } from '../../store/runs/runs.ts'
import type { Run } from '../run/run.ts'
import { acceptsReply, bufferReply } from './reply-buffer.ts'

/** Buffers the message as the reply to one of the runs, and returns that run. */
export async function deliverAnswer(
  tx: Tx,
  runs: readonly Run[],
  message: Message,
): Promise<Run | undefined> {
  const waiting = runs.filter(run => run.wait?.message && acceptsReply(run, message))
  if (waiting.length === 0) return undefined
  // A run that advances concurrently may no longer wait.
  for (const run of await sortByPriority(tx, await filterByConversation(tx, waiting, message), message))
    if (await bufferReply(tx, run, message)) return run
  return undefined
}

/** Removes runs that asked in another conversation. The question's row is read, because conversations can be merged. */
async function filterByConversation(tx: Tx, runs: readonly Run[], message: Message): Promise<Run[]> {
  const ids = runs.flatMap(run => run.wait?.question ?? [])
  const conversations = await listConversationIds(tx, message.tenantId, ids)
  return runs.filter(run => {
    const askedIn = conversations.get(run.wait?.question ?? '')
    return askedIn === undefined || askedIn === message.conversationId
  })
}

async function sortByPriority(tx: Tx, runs: Run[], message: Message): Promise<Run[]> {
  const quotedRunId = runs.length > 1 ? await findQuotedRunId(tx, runs, message) : undefined
  const rank = (run: Run) => (run.id === quotedRunId ? 0 : run.kind === 'journey' ? 1 : 2)
  return runs.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      Date.parse(b.waitingSince!) - Date.parse(a.waitingSince!) ||
      (a.id < b.id ? 1 : -1),
  )
}

function findQuotedRunId(tx: Tx, runs: readonly Run[], message: Message): Promise<string | undefined> {
  const quoted = message.context?.flatMap(entry => (entry.type === 'message' ? [entry.messageId] : [])) ?? []
  const runIds = runs.map(run => run.id)
  return quoted[0] === undefined
    ? Promise.resolve(undefined)
    : findRunOfMessage(tx, message.tenantId, runIds, quoted[0])
}
