/** Who calls: any account sid with any token will do, except one that says by its name what is wrong with it. */

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

/** An account's own token, or an API key (SK…) with its secret. */
export function checkAccount(account: string, incoming: HttpRequest): void {
  const given = readCredentials(incoming)
  const refused = !given || given.password === '' || /^(expired|invalid)/.test(given.password)
  if (refused || (given.user !== account && !given.user.startsWith('SK'))) throw new SmsError(20003)
  if (account.startsWith('missing')) throw new SmsError(20404)
}

/** The account's token, when this call was made with it; an API key's secret signs nothing. */
export function readToken(incoming: HttpRequest): string | undefined {
  const given = readCredentials(incoming)
  return given?.user.startsWith('SK') ? undefined : given?.password
}

/** Kept by number, so that somebody who merely looks at an account with another token changes nothing. */
export async function saveToken(
  world: SandboxContext,
  number: SmsNumber,
  incoming: HttpRequest,
): Promise<void> {
  const authToken = readToken(incoming)
  if (authToken !== undefined && number.authToken !== authToken)
    await saveNumber(world, { ...number, authToken })
}

export function getAuthToken(world: SandboxContext, { account, authToken }: SmsNumber): string {
  return authToken ?? hashHex(`${world.appSecret}/${account}`, 32)
}
