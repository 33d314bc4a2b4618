/** Authentication of sms accounts: accepts every account and token except those whose prefix names an error. */

import type { SandboxContext } from '../context.ts'
import type { HttpRequest } from '../http/server.ts'
import { hashHex } from '../identifiers.ts'
import { SmsError } from './errors.ts'
import { type SmsNumber, saveNumber } from './numbers.ts'

function readCredentials({ headers }: HttpRequest): { user: string; password: string } | undefined {
  const match = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers.authorization ?? '')
  if (!match) return undefined
  const [user, ...password] = Buffer.from(match[1]!, 'base64').toString().split(':')
  return { user: user!, password: password.join(':') }
}

/** Accepts the account's own token, or an API key (SK…) with its secret. */
export function checkAccount(account: string, request: HttpRequest): void {
  const credentials = readCredentials(request)
  const refused =
    !credentials || credentials.password === '' || /^(expired|invalid)/.test(credentials.password)
  if (refused || (credentials.user !== account && !credentials.user.startsWith('SK')))
    throw new SmsError(20003)
  if (account.startsWith('missing')) throw new SmsError(20404)
}

/** Returns the account's auth token; undefined if an API key was used, whose secret does not sign callbacks. */
export function readToken(request: HttpRequest): string | undefined {
  const credentials = readCredentials(request)
  return credentials?.user.startsWith('SK') ? undefined : credentials?.password
}

/** Stores the auth token per number, so that reading an account with another token changes nothing. */
export async function saveToken(
  context: SandboxContext,
  number: SmsNumber,
  request: HttpRequest,
): Promise<void> {
  const authToken = readToken(request)
  if (authToken !== undefined && number.authToken !== authToken)
    await saveNumber(context, { ...number, authToken })
}

export function getAuthToken(context: SandboxContext, { account, authToken }: SmsNumber): string {
  return authToken ?? hashHex(`${context.appSecret}/${account}`, 32)
}
