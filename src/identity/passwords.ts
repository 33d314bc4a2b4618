/**
 * Password hashes (argon2id), a bounded number at a time and a bounded number waiting, so that a flood of logins cannot
 * take the machine.
 */
import { hash, verify } from '@node-rs/argon2'
import { turns } from './turns.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const inTurn = turns(2, 200)

/** The same password typed on another keyboard may arrive in another form of the same characters. */
const asTyped = (password: string): string => password.normalize('NFKC')

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(asTyped(password), cost))
}

let decoy: Promise<string> | undefined

/** With no hash to compare, the same work is done against one that nothing matches. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('no account has this password', cost)
  const against = stored ?? (await decoy)
  const matches = await inTurn(() => verify(against, asTyped(password)))
  return stored !== null && matches
}
