/** Simulates inbound text messages and records the resulting callbacks. */

import { getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import type { Inbound, InboundMedia } from '../schemas.ts'
import { SmsError } from './errors.ts'
import { findNumberBySid, type SmsNumber, toAccountRef } from './numbers.ts'
import { root } from './resources.ts'
import { countSegments } from './segments.ts'

type Form = Record<string, string>

const stopKeywords = ['STOP', 'UNSUBSCRIBE', 'END', 'QUIT', 'STOPALL', 'REVOKE', 'OPTOUT', 'CANCEL']
const startKeywords = ['START', 'UNSTOP', 'YES']
const helpKeywords = ['HELP', 'INFO']

export function getOptOutKeyword(body: string): 'STOP' | 'START' | 'HELP' | undefined {
  const keyword = body.trim().toUpperCase()
  if (stopKeywords.includes(keyword)) return 'STOP'
  if (startKeywords.includes(keyword)) return 'START'
  return helpKeywords.includes(keyword) ? 'HELP' : undefined
}

async function buildMediaForm(
  context: SandboxContext,
  number: SmsNumber,
  media: InboundMedia,
): Promise<Form> {
  const { file, media: stored } = await context.media.addInbound(toAccountRef(number.sid), media)
  return {
    Body: media.caption ?? '',
    NumMedia: '1',
    MediaUrl0: `${root}/${number.account}/Messages/MM${'0'.repeat(32)}/Media/ME${stored.id}`,
    MediaContentType0: file.mimeType,
  }
}

async function buildContentForm(
  context: SandboxContext,
  number: SmsNumber,
  { content }: Inbound,
): Promise<Form> {
  if (content.type === 'text') return { Body: content.text.body, NumMedia: '0' }
  if (content.type === 'media') return buildMediaForm(context, number, content.media)
  if (content.type === 'raw')
    return Object.fromEntries(Object.entries(content.raw).map(([name, value]) => [name, String(value)]))
  throw new SmsError(20404, `sms customers cannot send content of type "${content.type}"`)
}

export async function receiveInbound(
  context: SandboxContext,
  sid: string,
  inbound: Inbound,
): Promise<string> {
  const number = findNumberBySid(context, sid)
  if (!number) throw new SmsError(20404, `number ${sid} not found`)
  const from = inbound.from.startsWith('+') ? inbound.from : `+${inbound.from}`
  const content = await buildContentForm(context, number, inbound)
  const optOut = getOptOutKeyword(content.Body ?? '')
  const form: Form = {
    ApiVersion: '2010-04-01',
    AccountSid: number.account,
    From: from,
    To: number.phone,
    SmsStatus: 'received',
    NumSegments: String(countSegments(content.Body ?? '')),
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
  const entry = await recordEntry(context, {
    kind: 'received',
    account: toAccountRef(sid),
    customer: normalizePhone(from),
    metadata: { ...(optOut ? { optOut } : {}), ...(content.NumMedia === '1' ? { media: true } : {}) },
    payload: JSON.stringify(form),
    callbacks: [{ type: 'received' }],
  })
  return getMessageId(context, entry)
}
