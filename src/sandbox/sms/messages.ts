/** POST …/Messages.json: the sms provider takes a message, or says why not. */
import type { Answer, Incoming } from '../http.ts'
import { phoneKey } from '../peers.ts'
import { answered, behaviourFor, customerActs, tellings, unheard } from '../sending.ts'
import type { Behaviour } from '../symptoms.ts'
import { record, type World } from '../world.ts'
import { rememberToken } from './accounts.ts'
import { SmsError, table } from './errors.ts'
import { numbersOf, refOf, type SmsNumber, senderOf } from './numbers.ts'
import { Queues } from './queues.ts'
import { showSent } from './resources.ts'
import { segments } from './segments.ts'

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

async function checkSender(world: World, account: string, form: URLSearchParams): Promise<SmsNumber> {
  const from = form.get('From')
  if (!from) return numbersOf(world, account)[0]!
  if (!e164.test(from)) throw new SmsError(21212)
  const number = await senderOf(world, account, from)
  if (!number?.hasSms) throw new SmsError(21606)
  if (form.get('To') === from) throw new SmsError(21266)
  return number
}

function refuse({ symptom, spelled }: Behaviour): void {
  if (spelled) throw new SmsError(spelled.code, spelled.message, spelled.status)
  const told = symptom && table[symptom]
  if (told?.at === 'once') throw new SmsError(told.code)
}

const queues = new WeakMap<World, Queues>()

function queueOf(world: World): Queues {
  const queue = queues.get(world) ?? new Queues()
  queues.set(world, queue)
  return queue
}

function failureOf({ symptom }: Behaviour): { tells: string; code: number } | undefined {
  const told = symptom && table[symptom]
  return told?.at === 'later' ? { tells: 'undelivered', code: told.code } : undefined
}

function aboutOf(form: URLSearchParams, number: SmsNumber): Record<string, unknown> {
  const callback = form.get('StatusCallback') ?? number.statusCallback
  return {
    to: form.get('To'),
    first: form.get('MessagingServiceSid') ? 'accepted' : 'queued',
    ...(callback ? { callback } : {}),
    ...(form.get('MessagingServiceSid') ? { service: form.get('MessagingServiceSid') } : {}),
    ...(form.has('MediaUrl') ? { media: true } : {}),
  }
}

export async function sendMessage(world: World, account: string, incoming: Incoming): Promise<Answer> {
  const form = new URLSearchParams(incoming.body.toString('utf8'))
  checkForm(form)
  const number = await checkSender(world, account, form)
  const ref = refOf(number.sid)
  const to = form.get('To')!
  const peer = phoneKey(to)
  const behaviour = behaviourFor(world, ref, peer, to)
  const silence = unheard(behaviour)
  if (silence) return silence
  refuse(behaviour)
  await rememberToken(world, number, incoming)
  if (world.conversations.isOptedOut('sms', number.sid, peer)) throw new SmsError(21610)
  const body = form.get('Body') ?? ''
  const entry = await record(world, {
    kind: 'sent',
    account: ref,
    peer,
    about: aboutOf(form, number),
    payload: incoming.body,
    // Nobody can tell when a text message was read.
    tellings: tellings(world, ref, behaviour, failureOf(behaviour)).filter(({ tells }) => tells !== 'read'),
    behaviour,
    queuedMs: world.strict ? queueOf(world).wait(number, segments(body), world.time.now(ref)) : 0,
  })
  customerActs(world, ref, behaviour, { from: to, text: body })
  const answer = { status: 201, json: showSent(world, entry, form, true) }
  return answered(behaviour, answer, () => new SmsError(20500).answer())
}
