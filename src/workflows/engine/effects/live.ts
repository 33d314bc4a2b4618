/** Implements the effects of nodes on real data. Every effect invalidates the contact and conversation in the scope. */
import { recordContactEvent } from '../../../contacts/activity.ts'
import type { Viewer } from '../../../contacts/contact-views.ts'
import { changeContact, lockContact } from '../../../contacts/contacts.ts'
import { setOptOut } from '../../../contacts/opt-outs.ts'
import { valueViolation } from '../../../contacts/tags-and-fields/custom-field-values.ts'
import { getFieldDefinitions } from '../../../contacts/tags-and-fields/custom-fields.ts'
import { addTags, lockTags, removeTag } from '../../../contacts/tags-and-fields/tags.ts'
import { setActor } from '../../../platform/db/actor.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { emit } from '../../../platform/events/event.ts'
import { eventReceived, findDataViolation } from '../../events.ts'
import type { Effects, Json } from '../../nodes/node-type.ts'
import { listPendingMessages } from '../../store/runs/runs.ts'
import { type EngineContext, type Run, toRunInfo } from '../run/run.ts'
import { PermanentStepError } from '../run/scope.ts'
import { conversationEffects, toSender } from './conversation.ts'

/** Key in `visits` that marks the comment that started the run as answered; no node has this id. */
const commentAnswered = ''

export function liveEffects(engine: EngineContext, tx: Tx, run: Run, invalidate: () => void): Effects {
  const { tenantId, contactId } = run
  const sentIds: string[] = []
  const onContact = contactEffects(tx, tenantId, contactId, () =>
    listPendingMessages(tx, tenantId, run.id, sentIds),
  )
  const effects: Effects = {
    ...onContact,
    setOptOut: async (channel, optedOut) => {
      await setActor(tx, toSender(toRunInfo(run)))
      await onContact.setOptOut(channel, optedOut)
    },
    ...conversationEffects({
      deps: engine.deps,
      tx,
      tenantId,
      run: toRunInfo(run),
      ...toViewer(engine, run),
    }),
    send: async message => {
      const result = await send(engine, tx, run, message)
      if ('messageId' in result) sentIds.push(result.messageId)
      return result
    },
    // The step row stores the note.
    note: async () => {},
    emitEvent: async ({ name, key = null, data = {} }) => {
      checkDataSize(data)
      await recordContactEvent(tx, tenantId, { contactId, name })
      await emit(tx, eventReceived, { tenantId, data: { contactId, event: { name, key, data } } })
    },
    startJourney: async (journeyId, data) => {
      checkDataSize(data)
      return engine.startJourney(tx, run, journeyId, data)
    },
  }
  return invalidatingScope(effects, invalidate)
}

function checkDataSize(data: Record<string, Json> | undefined): void {
  const tooLarge = findDataViolation(data, 'data')
  if (tooLarge) throw new PermanentStepError('data_too_large', `data ${tooLarge.message}`)
}

/** Sends a message. The first message of a run that a comment started is its private reply. */
async function send(
  engine: EngineContext,
  tx: Tx,
  run: Run,
  message: Parameters<Effects['send']>[0],
): ReturnType<Effects['send']> {
  const { deps } = engine
  const { tenantId } = run
  const comment = run.visits[commentAnswered] ? undefined : findComment(run)
  const context = comment && [{ type: 'resource' as const, resource: { kind: 'comment', id: comment.id } }]
  const conversation = {
    deps,
    tx,
    tenantId,
    run: toRunInfo(run),
    ...(context ? { context } : {}),
    ...toViewer(engine, run),
  }
  const inbox = comment && message.inboxId === undefined ? { inboxId: comment.inboxId } : {}
  const result = await conversationEffects(conversation).send({ ...message, ...inbox })
  if (comment && 'messageId' in result) run.visits[commentAnswered] = 1
  return result
}

function toViewer({ publishers }: EngineContext, { versionId }: Run): { viewer?: Viewer } {
  const viewer = publishers?.get(versionId)?.viewer
  return viewer ? { viewer } : {}
}

function findComment({ event }: Run): { id: string; inboxId: string } | undefined {
  const { id, inboxId } = event.data
  return event.name === 'comment.received' ? { id: String(id), inboxId: String(inboxId) } : undefined
}

function invalidatingScope(effects: Effects, invalidate: () => void): Effects {
  const entries = Object.entries(effects).map(([name, effect]) => [
    name,
    (...args: unknown[]) => {
      invalidate()
      return (effect as (...args: unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(entries) as Effects
}

type ContactEffects = Pick<Effects, 'addTag' | 'removeTag' | 'setField' | 'setOptOut'>

/**
 * Effects on the run's contact. They have no effect on a contact that was deleted concurrently. An opt-out does not stop
 * the run's own earlier messages, such as a goodbye.
 */
export function contactEffects(
  tx: Tx,
  tenantId: string,
  contactId: string,
  listEarlierMessages: () => Promise<string[]> = async () => [],
): ContactEffects {
  const lockTag = async (tagId: string) => (await lockTags(tx, tenantId, [tagId])).has(tagId)
  return {
    addTag: async tagId => {
      if (!(await lockTag(tagId))) return false
      await addTags(tx, tenantId, [{ contactId, tagId }])
      return true
    },
    removeTag: async tagId => {
      if (!(await lockTag(tagId))) return false
      const contact = await lockContact(tx, tenantId, contactId)
      if (contact) await removeTag(tx, tenantId, contact.id, tagId)
      return true
    },
    setField: (fieldId, value) => setField(tx, tenantId, contactId, fieldId, value ?? ''),
    setOptOut: async (channel, optedOut) => {
      const contact = await lockContact(tx, tenantId, contactId)
      const earlier = optedOut ? await listEarlierMessages() : []
      if (contact) await setOptOut(tx, tenantId, contact.id, channel, optedOut, earlier)
    },
  }
}

async function setField(
  tx: Tx,
  tenantId: string,
  contactId: string,
  fieldId: string,
  value: string,
): ReturnType<Effects['setField']> {
  const definitions = await getFieldDefinitions(tx, tenantId)
  const field = definitions.byId.get(fieldId)
  if (!field) return { code: 'unknown_custom_field', message: `the custom field ${fieldId} was deleted` }
  const violation = value === '' ? undefined : valueViolation(field, value, field.name)
  if (violation) return { code: 'invalid_value', message: `${violation.field} ${violation.message}` }
  const contact = await lockContact(tx, tenantId, contactId)
  const engine = { tenantId, id: '', role: 'owner' as const, teamIds: [] }
  if (contact) await changeContact(tx, engine, contact, { values: { [fieldId]: value } }, definitions)
  return undefined
}
