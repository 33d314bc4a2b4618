/** POST …/Messages.json: the sms provider takes a message, or says why not. */

import { recordEntry, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import type { Behaviour } from '../failure-modes.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { getBehaviour, noResponse, planCallbacks, scheduleCustomerReply, toResponse } from '../sending.ts'
import { saveToken } from './accounts.ts'
import { failureReports, SmsError } from './errors.ts'
import { findSender, listNumbers, type SmsNumber, toAccountRef } from './numbers.ts'
import { sentToApi } from './resources.ts'
import { countSegments } from './segments.ts'
import { SendQueues } from './send-queues.ts'

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
  world: SandboxContext,
  account: string,
  form: URLSearchParams,
): Promise<SmsNumber> {
  const from = form.get('From')
  if (!from) return listNumbers(world, account)[0]!
  if (!e164.test(from)) throw new SmsError(21212)
  const number = await findSender(world, account, from)
  if (!number?.hasSms) throw new SmsError(21606)
  if (form.get('To') === from) throw new SmsError(21266)
  return number
}

function throwImmediateFailure({ failureMode: symptom, customError: spelled }: Behaviour): void {
  if (spelled) throw new SmsError(spelled.code, spelled.message, spelled.status)
  const told = symptom && failureReports[symptom]
  if (told?.at === 'once') throw new SmsError(told.code)
}

const queues = new WeakMap<SandboxContext, SendQueues>()

function queueOf(world: SandboxContext): SendQueues {
  const queue = queues.get(world) ?? new SendQueues()
  queues.set(world, queue)
  return queue
}

function getCallbackFailure({
  failureMode: symptom,
}: Behaviour): { tells: string; code: number } | undefined {
  const told = symptom && failureReports[symptom]
  return told?.at === 'later' ? { tells: 'undelivered', code: told.code } : undefined
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

export async function sendMessage(
  world: SandboxContext,
  account: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const form = new URLSearchParams(incoming.body.toString('utf8'))
  checkForm(form)
  const number = await resolveSender(world, account, form)
  const ref = toAccountRef(number.sid)
  const to = form.get('To')!
  const peer = normalizePhone(to)
  const behaviour = getBehaviour(world, ref, peer, to)
  const silence = noResponse(behaviour)
  if (silence) return silence
  throwImmediateFailure(behaviour)
  await saveToken(world, number, incoming)
  if (world.conversations.isOptedOut('sms', number.sid, peer)) throw new SmsError(21610)
  const body = form.get('Body') ?? ''
  const entry = await recordEntry(world, {
    kind: 'sent',
    account: ref,
    peer,
    about: buildMetadata(form, number),
    payload: incoming.body,
    // Nobody can tell when a text message was read.
    callbacks: planCallbacks(world, ref, behaviour, getCallbackFailure(behaviour)).filter(
      ({ tells }) => tells !== 'read',
    ),
    behaviour,
    queueDelayMs: world.strict
      ? queueOf(world).reserve(number, countSegments(body), world.clock.now(ref))
      : 0,
  })
  scheduleCustomerReply(world, ref, behaviour, { from: to, text: body })
  const answer = { status: 201, json: sentToApi(world, entry, form, true) }
  return toResponse(behaviour, answer, () => new SmsError(20500).toResponse())
}
