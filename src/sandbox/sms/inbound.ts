/** A customer sends a text message: what the provider will tell of it. */
import { phoneKey } from '../peers.ts'
import { fileOf } from '../samples.ts'
import type { Inbound, InboundMedia } from '../schemas.ts'
import { idOf, record, type World } from '../world.ts'
import { SmsError } from './errors.ts'
import { numberBySid, refOf, type SmsNumber } from './numbers.ts'
import { root } from './resources.ts'
import { segments } from './segments.ts'

type Form = Record<string, string>

const stop = ['STOP', 'UNSUBSCRIBE', 'END', 'QUIT', 'STOPALL', 'REVOKE', 'OPTOUT', 'CANCEL']
const start = ['START', 'UNSTOP', 'YES']
const help = ['HELP', 'INFO']

export function optOutOf(body: string): 'STOP' | 'START' | 'HELP' | undefined {
  const word = body.trim().toUpperCase()
  if (stop.includes(word)) return 'STOP'
  if (start.includes(word)) return 'START'
  return help.includes(word) ? 'HELP' : undefined
}

async function mediaForm(world: World, number: SmsNumber, given: InboundMedia): Promise<Form> {
  const file = fileOf(given)
  const media = await world.media.add([file.bytes], {
    account: refOf(number.sid),
    mimeType: file.mimeType,
    filename: file.filename,
    uploaded: false,
  })
  return {
    Body: given.caption ?? '',
    NumMedia: '1',
    MediaUrl0: `${root}/${number.account}/Messages/MM${'0'.repeat(32)}/Media/ME${media.id}`,
    MediaContentType0: file.mimeType,
  }
}

async function contentForm(world: World, number: SmsNumber, { content }: Inbound): Promise<Form> {
  if (content.type === 'text') return { Body: content.text.body, NumMedia: '0' }
  if (content.type === 'media') return mediaForm(world, number, content.media)
  if (content.type === 'raw')
    return Object.fromEntries(Object.entries(content.raw).map(([name, value]) => [name, String(value)]))
  throw new SmsError(20404, `A customer of this channel cannot send "${content.type}"`)
}

export async function receive(world: World, sid: string, inbound: Inbound): Promise<string> {
  const number = numberBySid(world, sid)
  if (!number) throw new SmsError(20404, `The number ${sid} is not known`)
  const from = inbound.from.startsWith('+') ? inbound.from : `+${inbound.from}`
  const content = await contentForm(world, number, inbound)
  const optOut = optOutOf(content.Body ?? '')
  const form: Form = {
    ApiVersion: '2010-04-01',
    AccountSid: number.account,
    From: from,
    To: number.phone,
    SmsStatus: 'received',
    NumSegments: String(segments(content.Body ?? '')),
    FromCity: '',
    FromState: '',
    FromZip: '',
    FromCountry: 'US',
    ToCity: '',
    ToState: '',
    ToZip: '',
    ToCountry: 'US',
    ...(optOut ? { OptOutType: optOut } : {}),
    ...content,
  }
  const entry = await record(world, {
    kind: 'received',
    account: refOf(sid),
    peer: phoneKey(from),
    about: { ...(optOut ? { optOut } : {}), ...(content.NumMedia === '1' ? { media: true } : {}) },
    payload: JSON.stringify(form),
    tellings: [{ tells: 'received' }],
  })
  return idOf(world, entry)
}
