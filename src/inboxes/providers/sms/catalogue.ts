/** The numbers of an account at the sms provider. */
import { type Json, recordIn, textIn } from '../graph.ts'
import { accountPath, everyItem, restRead, type SmsAccess } from './rest.ts'

export interface SmsNumber {
  phoneNumberSid: string
  phoneNumber: string
  friendlyName: string | null
  capabilities: { sms: boolean; mms: boolean; voice: boolean }
  type: string | undefined
}

function numberIn(node: Json): SmsNumber {
  const can = recordIn(node.capabilities) ?? {}
  return {
    phoneNumberSid: textIn(node.sid) ?? '',
    phoneNumber: textIn(node.phone_number) ?? '',
    friendlyName: textIn(node.friendly_name) ?? null,
    capabilities: { sms: can.sms === true, mms: can.mms === true, voice: can.voice === true },
    type: textIn(node.type),
  }
}

export async function listSmsNumbers(access: SmsAccess): Promise<SmsNumber[]> {
  const path = `${accountPath(access)}/IncomingPhoneNumbers.json?PageSize=1000`
  return (await everyItem(access, path, 'incoming_phone_numbers')).map(numberIn)
}

export async function findSmsNumber(access: SmsAccess, sid: string): Promise<SmsNumber> {
  const path = `${accountPath(access)}/IncomingPhoneNumbers/${encodeURIComponent(sid)}.json`
  return numberIn(await restRead(access, path))
}
