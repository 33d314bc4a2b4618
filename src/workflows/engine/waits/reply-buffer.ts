/** Buffers the replies of a customer who sends several messages in quick succession, and delivers them as one input. */
import type { Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { timerSet } from '../../events.ts'
import { appendBufferedReply, findRun } from '../../store/runs/runs.ts'
import type { Run } from '../run/run.ts'

/** The buffer is delivered after this long without a further message … */
const debounceMs = 500
/** … and at the latest this long after its first message. */
const maxBufferMs = 2_500

function addMs(tx: Tx, ms: number): string {
  return new Date(Date.parse(tx.now) + ms).toISOString()
}

/** Returns when the buffer is delivered if no further message arrives: immediately for a pressed button. */
export function debounceUntil(tx: Tx, message: Message): string {
  return addMs(tx, message.content.type === 'reply' ? 0 : debounceMs)
}

/** Returns whether the run waits for a message like this: messages sent before the wait are not replies. */
export function acceptsReply(run: Run, message: Message): boolean {
  if (run.status !== 'waiting' || !run.wait) return false
  if (run.conversationId !== null && run.conversationId !== message.conversationId) return false
  return run.wait.start === true || (run.wait.message === true && message.createdAt > run.waitingSince!)
}

/** Returns false if the run does not wait for the message. */
export async function bufferReply(tx: Tx, run: Run, message: Message): Promise<boolean> {
  let current: Run | undefined = run
  for (let attempt = 0; attempt < 3 && current && acceptsReply(current, message); attempt++) {
    const deadlines = { debounceUntil: debounceUntil(tx, message), latest: addMs(tx, maxBufferMs) }
    if (await appendBufferedReply(tx, current, JSON.stringify(message), deadlines)) {
      tx.signal(timerSet, deadlines.debounceUntil)
      return true
    }
    // The run advanced while this transaction waited for its lock; it may wait again.
    current = await findRun(tx, run.tenantId, run.id)
  }
  return false
}
