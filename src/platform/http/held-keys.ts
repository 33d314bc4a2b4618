/** The keys of requests that run here: those that take long are kept, so that a key nobody keeps can be free in seconds. */
import type { Db } from '../db/db.ts'
import { type ClaimedKey, renewKeys } from './idempotency.ts'

/** Several times before a key that nobody keeps is free. */
const renewEveryMs = 4_000

interface KeyLeases {
  claims: Map<ClaimedKey, number>
  timer: NodeJS.Timeout | undefined
}

const leasesByDb = new WeakMap<Db, KeyLeases>()

function getLeases(db: Db): KeyLeases {
  const known = leasesByDb.get(db) ?? { claims: new Map(), timer: undefined }
  leasesByDb.set(db, known)
  return known
}

/** Runs `work` while the claim is kept. */
export async function withKeyLease<T>(db: Db, claim: ClaimedKey, work: () => Promise<T>): Promise<T> {
  const mine = getLeases(db)
  mine.claims.set(claim, performance.now())
  mine.timer ??= setInterval(() => void renewLongRunning(db, mine), renewEveryMs).unref()
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

async function renewLongRunning(db: Db, { claims }: KeyLeases): Promise<void> {
  const before = performance.now() - renewEveryMs / 2
  const long = [...claims].flatMap(([claim, since]) => (since < before ? [claim] : []))
  if (long.length === 0) return
  // One that cannot be kept may be taken over; then it is refused when it wants to store its answer.
  await renewKeys(db, long).catch(() => {})
}
