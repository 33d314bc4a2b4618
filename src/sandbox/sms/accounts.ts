/** Who calls: any account sid with any token will do, except one that says by its name what is wrong with it. */
import type { Incoming } from '../http.ts'
import { hexOf } from '../identifiers.ts'
import type { World } from '../world.ts'
import { SmsError } from './errors.ts'
import { type SmsNumber, save } from './numbers.ts'

function credentials({ headers }: Incoming): { user: string; password: string } | undefined {
  const match = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers.authorization ?? '')
  if (!match) return undefined
  const [user, ...password] = Buffer.from(match[1]!, 'base64').toString().split(':')
  return { user: user!, password: password.join(':') }
}

/** An account's own token, or an API key (SK…) with its secret. */
export function checkAccount(account: string, incoming: Incoming): void {
  const given = credentials(incoming)
  const refused = !given || given.password === '' || /^(expired|invalid)/.test(given.password)
  if (refused || (given.user !== account && !given.user.startsWith('SK'))) throw new SmsError(20003)
  if (account.startsWith('missing')) throw new SmsError(20404)
}

/** The account's token, when this call was made with it; an API key's secret signs nothing. */
export function tokenIn(incoming: Incoming): string | undefined {
  const given = credentials(incoming)
  return given?.user.startsWith('SK') ? undefined : given?.password
}

/** Kept by number, so that somebody who merely looks at an account with another token changes nothing. */
export async function rememberToken(world: World, number: SmsNumber, incoming: Incoming): Promise<void> {
  const authToken = tokenIn(incoming)
  if (authToken !== undefined && number.authToken !== authToken) await save(world, { ...number, authToken })
}

export function authTokenOf(world: World, { account, authToken }: SmsNumber): string {
  return authToken ?? hexOf(`${world.appSecret}/${account}`, 32)
}
