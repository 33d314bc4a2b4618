/** What steps do, for real. Whatever changes the contact or a conversation makes the run's scope forget them. */
import type { Tx } from '../../../platform/db/db.ts'
import { emit } from '../../../platform/events/event.ts'
import { eventReceived } from '../../events.ts'
import type { Effects } from '../../nodes/node-type.ts'
import type { EngineContext } from '../engine.ts'
import { type Run, toRunInfo } from '../run/run.ts'
import { contactEffects } from './contact.ts'
import { conversationEffects } from './conversation.ts'

/** Where `visits` notes that the comment which started the run has its answer: no node has this id. */
const commentAnswered = ''

export function liveEffects(engine: EngineContext, tx: Tx, run: Run, changed: () => void): Effects {
  const { tenantId, contactId } = run
  const effects: Effects = {
    ...contactEffects(tx, tenantId, contactId),
    ...conversationEffects({ deps: engine.deps, tx, tenantId, run: toRunInfo(run) }),
    send: message => send(engine, tx, run, message),
    // The line of the step holds it.
    note: async () => {},
    emitEvent: ({ name, key = null, data = {} }) =>
      emit(tx, eventReceived, { tenantId, data: { contactId, event: { name, key, data } } }),
    startJourney: (journeyId, data) => engine.call(tx, run, journeyId, data),
  }
  return invalidatingScope(effects, changed)
}

/** The first message of a run that a comment started is its private reply. */
async function send(
  { deps }: EngineContext,
  tx: Tx,
  run: Run,
  message: Parameters<Effects['send']>[0],
): ReturnType<Effects['send']> {
  const { tenantId } = run
  const comment = run.visits[commentAnswered] ? undefined : findComment(run)
  const context = comment && [{ type: 'resource' as const, resource: { kind: 'comment', id: comment.id } }]
  const place = { deps, tx, tenantId, run: toRunInfo(run), ...(context ? { context } : {}) }
  const inbox = comment && message.inboxId === undefined ? { inboxId: comment.inboxId } : {}
  const sent = await conversationEffects(place).send({ ...message, ...inbox })
  if (comment && 'messageId' in sent) run.visits[commentAnswered] = 1
  return sent
}

function findComment({ event }: Run): { id: string; inboxId: string } | undefined {
  const { id, inboxId } = event.data
  return event.name === 'comment.received' ? { id: String(id), inboxId: String(inboxId) } : undefined
}

function invalidatingScope(effects: Effects, changed: () => void): Effects {
  const entries = Object.entries(effects).map(([name, effect]) => [
    name,
    (...args: unknown[]) => {
      changed()
      return (effect as (...args: unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(entries) as Effects
}
