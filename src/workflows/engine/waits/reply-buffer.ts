/** Messages for runs that wait for one. Those of a burst are collected, and handed over once the customer pauses. */
import type { Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { appendBufferedReply, findRun } from '../../store/runs.ts'
import type { Run } from '../run/run.ts'
import { timerSet } from '../signals.ts'

/** How long nothing more must come, and how long a burst may go on. */
const debounceMs = 500
const maxBufferMs = 2_500

/** A button that was pressed is a whole answer. */
function getDebounceMs(message: Message): number {
  return message.content.type === 'reply' ? 0 : debounceMs
}

function addMs(tx: Tx, ms: number): string {
  return new Date(Date.parse(tx.now) + ms).toISOString()
}

export function debounceUntil(tx: Tx, message: Message): string {
  return addMs(tx, getDebounceMs(message))
}

/** Whether the message came after the run began to wait: what was said before is no answer. */
export function acceptsReply(run: Run, message: Message): boolean {
  if (run.status !== 'waiting' || !run.wait) return false
  if (run.conversationId !== null && run.conversationId !== message.conversationId) return false
  return run.wait.start === true || (run.wait.message === true && message.createdAt > run.waitingSince!)
}

/** False when the run does not wait for it, or not any more. */
export async function bufferReply(tx: Tx, run: Run, message: Message): Promise<boolean> {
  let now: Run | undefined = run
  for (let attempt = 0; attempt < 3 && now && acceptsReply(now, message); attempt++) {
    const ends = { quietUntil: debounceUntil(tx, message), latest: addMs(tx, maxBufferMs) }
    if (await appendBufferedReply(tx, now, JSON.stringify(message), ends)) {
      tx.signal(timerSet, ends.quietUntil)
      return true
    }
    // It moved on while we waited for its lock, and may wait again.
    now = await findRun(tx, run.tenantId, run.id)
  }
  return false
}
