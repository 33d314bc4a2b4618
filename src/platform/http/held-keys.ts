/** The keys of requests that run here: those that take long are kept, so that a key nobody keeps can be free in seconds. */
import type { Db } from '../db/db.ts'
import { type Claim, renewKeys } from './idempotency.ts'

/** Several times before a key that nobody keeps is free. */
const everyMs = 4_000

interface Holding {
  claims: Map<Claim, number>
  timer: NodeJS.Timeout | undefined
}

const holdings = new WeakMap<Db, Holding>()

function holdingOf(db: Db): Holding {
  const known = holdings.get(db) ?? { claims: new Map(), timer: undefined }
  holdings.set(db, known)
  return known
}

/** Runs `work` while the claim is kept. */
export async function holding<T>(db: Db, claim: Claim, work: () => Promise<T>): Promise<T> {
  const mine = holdingOf(db)
  mine.claims.set(claim, performance.now())
  mine.timer ??= setInterval(() => void renew(db, mine), everyMs).unref()
  try {
    return await work()
  } finally {
    mine.claims.delete(claim)
    if (mine.claims.size === 0) {
      clearInterval(mine.timer)
      mine.timer = undefined
    }
  }
}

async function renew(db: Db, { claims }: Holding): Promise<void> {
  const before = performance.now() - everyMs / 2
  const long = [...claims].flatMap(([claim, since]) => (since < before ? [claim] : []))
  if (long.length === 0) return
  // One that cannot be kept may be taken over; then it is refused when it wants to store its answer.
  await renewKeys(db, long).catch(() => {})
}
