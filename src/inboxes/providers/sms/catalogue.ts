/** Reads the phone numbers of an sms account. */
import { asRecord, asText, type Json } from '../graph.ts'
import { buildAccountPath, fetchAllItems, readRest, type SmsAccess } from './client.ts'

export interface SmsNumber {
  phoneNumberSid: string
  phoneNumber: string
  friendlyName: string | null
  capabilities: { sms: boolean; mms: boolean; voice: boolean }
  type: string | undefined
}

function parseNumber(node: Json): SmsNumber {
  const can = asRecord(node.capabilities) ?? {}
  return {
    phoneNumberSid: asText(node.sid) ?? '',
    phoneNumber: asText(node.phone_number) ?? '',
    friendlyName: asText(node.friendly_name) ?? null,
    capabilities: { sms: can.sms === true, mms: can.mms === true, voice: can.voice === true },
    type: asText(node.type),
  }
}

export async function listSmsNumbers(access: SmsAccess): Promise<SmsNumber[]> {
  const path = `${buildAccountPath(access)}/IncomingPhoneNumbers.json?PageSize=1000`
  return (await fetchAllItems(access, path, 'incoming_phone_numbers')).map(parseNumber)
}

export async function findSmsNumber(access: SmsAccess, sid: string): Promise<SmsNumber> {
  const path = `${buildAccountPath(access)}/IncomingPhoneNumbers/${encodeURIComponent(sid)}.json`
  return parseNumber(await readRest(access, path))
}
