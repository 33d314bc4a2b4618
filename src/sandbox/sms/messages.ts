/** POST …/Messages.json: validates, accepts and records a message. */
import { recordEntry, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import type { Behaviour } from '../failure-modes.ts'
import { getBehaviour, noResponse, planCallbacks, scheduleCustomerReply, toResponse } from '../sending.ts'
import { saveToken } from './accounts.ts'
import { failureReports, SmsError } from './errors.ts'
import { findSender, listNumbers, type SmsNumber, toAccountRef } from './numbers.ts'
import { type ResourceHandler, sentToApi } from './resources.ts'
import { countSegments } from './segments.ts'

const e164 = /^\+[1-9]\d{6,14}$/

function checkForm(form: URLSearchParams): void {
  const body = form.get('Body') ?? ''
  if (!form.get('To')) throw new SmsError(21604)
  if (!form.get('From') && !form.get('MessagingServiceSid')) throw new SmsError(21603)
  if (body === '' && !form.has('MediaUrl') && !form.has('ContentSid')) throw new SmsError(21602)
  if (body.length > 1600) throw new SmsError(21617)
  if (form.getAll('MediaUrl').length > 10) throw new SmsError(21623)
  if (!e164.test(form.get('To')!)) throw new SmsError(21211, `Invalid 'To' Phone Number: ${form.get('To')}`)
  const callback = form.get('StatusCallback')
  if (callback && (!URL.canParse(callback) || new URL(callback).hostname.includes('_')))
    throw new SmsError(21609)
}

async function resolveSender(
  context: SandboxContext,
  account: string,
  form: URLSearchParams,
): Promise<SmsNumber> {
  const from = form.get('From')
  if (!from) return listNumbers(context, account)[0]!
  if (!e164.test(from)) throw new SmsError(21212)
  const number = await findSender(context, account, from)
  if (!number?.hasSms) throw new SmsError(21606)
  if (form.get('To') === from) throw new SmsError(21266)
  return number
}

function throwImmediateFailure({ failureMode, customError }: Behaviour): void {
  if (customError) throw new SmsError(customError.code, customError.message, customError.status)
  const report = failureMode && failureReports[failureMode]
  if (report?.by === 'response') throw new SmsError(report.code)
}

function getCallbackFailure({ failureMode }: Behaviour): { type: string; code: number } | undefined {
  const report = failureMode && failureReports[failureMode]
  return report?.by === 'callback' ? { type: 'undelivered', code: report.code } : undefined
}

function buildMetadata(form: URLSearchParams, number: SmsNumber): Record<string, unknown> {
  const callback = form.get('StatusCallback') ?? number.statusCallback
  return {
    to: form.get('To'),
    first: form.get('MessagingServiceSid') ? 'accepted' : 'queued',
    ...(callback ? { callback } : {}),
    ...(form.get('MessagingServiceSid') ? { service: form.get('MessagingServiceSid') } : {}),
    ...(form.has('MediaUrl') ? { media: true } : {}),
  }
}

export const sendMessage: ResourceHandler = async (context, account, request) => {
  const form = new URLSearchParams(request.body.toString('utf8'))
  checkForm(form)
  const number = await resolveSender(context, account, form)
  const ref = toAccountRef(number.sid)
  const to = form.get('To')!
  const customer = normalizePhone(to)
  const behaviour = getBehaviour(context, ref, customer, to)
  const silence = noResponse(behaviour)
  if (silence) return silence
  throwImmediateFailure(behaviour)
  await saveToken(context, number, request)
  if (context.conversations.isOptedOut('sms', number.sid, customer)) throw new SmsError(21610)
  const body = form.get('Body') ?? ''
  const entry = await recordEntry(context, {
    kind: 'sent',
    account: ref,
    customer,
    metadata: buildMetadata(form, number),
    payload: request.body,
    // Text messages have no read status.
    callbacks: planCallbacks(context, ref, behaviour, getCallbackFailure(behaviour)).filter(
      ({ type }) => type !== 'read',
    ),
    behaviour,
    queueDelayMs: context.strict
      ? context.smsQueues.reserve(number, countSegments(body), context.clock.now(ref))
      : 0,
  })
  scheduleCustomerReply(context, ref, behaviour, { from: to, text: body })
  const response = { status: 201, json: sentToApi(context, entry, form, true) }
  return toResponse(behaviour, response, () => new SmsError(20500).toResponse())
}
