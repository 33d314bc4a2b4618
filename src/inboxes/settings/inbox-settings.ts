/** Settings of an inbox that administrators change: its name, its business hours, its automatic replies and its satisfaction survey. */
import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { recordAudit } from '../../identity/audit.ts'
import { listHourViolations } from '../../identity/workspace/workspace-settings.ts'
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid, type Violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { inboxChanged } from '../accounts/accounts.ts'
import { findContentViolation } from '../capabilities/content.ts'
import { InboxNotFound } from '../errors.ts'
import { emitInboxUpdated } from '../events.ts'
import { inboxToApi } from '../health.ts'
import type { Inbox, InboxPatch } from '../schemas.ts'
import { type InboxRow, lockInbox, updateSettings } from '../store/inboxes.ts'
import { buildSurveyContent } from './survey-content.ts'
import { applyWebchatPatch, listWebchatViolations } from './webchat-settings.ts'

const settings = ['name', 'businessHours', 'greeting', 'away', 'csat', 'webchat'] as const

export async function updateInbox(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: Static<typeof InboxPatch>,
): Promise<Inbox> {
  const { tenantId } = caller
  const before = (await lockInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
  const violations = [
    ...listHourViolations(patch.businessHours ?? []),
    ...(['greeting', 'away'] as const).flatMap(name => listTextViolations(before, name, patch[name])),
    ...listSurveyViolations(before, patch.csat),
    ...listWebchatViolations(before, patch.webchat),
  ]
  if (violations.length > 0) invalid(...violations)
  const { csat, webchat, ...rest } = patch
  const after = {
    ...before,
    ...rest,
    ...(csat === undefined ? {} : { csat: csat && { ...csatDefaults, ...csat } }),
    ...(before.webchat && webchat ? { webchat: applyWebchatPatch(before.webchat, webchat) } : {}),
  }
  const changes = settings.filter(name => !isDeepStrictEqual(before[name], after[name]))
  if (changes.length === 0) return inboxToApi(before)
  const inbox = inboxToApi(await updateSettings(tx, after))
  await emitInboxUpdated(tx, tenantId, inbox, changes)
  await recordAudit(
    tx,
    caller,
    'inbox.updated',
    id,
    Object.fromEntries(changes.map(name => [name, { from: before[name], to: after[name] }])),
  )
  tx.signal(inboxChanged, id)
  return inbox
}

const csatDefaults = { delayMinutes: 0, commentQuestion: null }

function listSurveyViolations({ channel }: InboxRow, csat: Static<typeof InboxPatch>['csat']): Violation[] {
  if (!csat) return []
  const { question, commentQuestion } = csat
  const contents = {
    'csat.question': buildSurveyContent(channel, question, ''),
    ...(commentQuestion ? { 'csat.commentQuestion': toText(commentQuestion) } : {}),
  }
  return Object.entries(contents).flatMap(([field, content]) => {
    const found = findContentViolation(channel, content)
    return found ? [{ ...found, field }] : []
  })
}

/** The text must be one that the channel can send. */
function listTextViolations(
  { channel }: InboxRow,
  field: 'greeting' | 'away',
  body: string | null | undefined,
): Violation[] {
  if (body === null || body === undefined) return []
  const found = findContentViolation(channel, toText(body))
  return found ? [{ ...found, field }] : []
}

const toText = (body: string) => ({ type: 'text' as const, text: { body } })
