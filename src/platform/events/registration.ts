/** Registers subscriptions as consumers of the log: only a registered consumer receives what the sequencer adds. */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import {
  type ConsumerRegistration,
  isConsumerRegistered,
  listConsumers,
  registerConsumer,
} from './store/consumers.ts'
import type { Subscription } from './subscription.ts'

export const getRegistration = ({ name, types }: Subscription): ConsumerRegistration => ({
  name,
  types: types ?? null,
})

const register = (db: Db, subscription: Subscription): Promise<void> =>
  transact(db, tx => registerConsumer(tx, getRegistration(subscription), subscription.from === 'beginning'))

export async function ensureRegistered(db: Db, subscription: Subscription): Promise<void> {
  if (!(await isConsumerRegistered(db, getRegistration(subscription)))) await register(db, subscription)
}

/** Leaves the types of known consumers unchanged: a process of a newer version may have registered them. */
export async function registerNew(db: Db, subscriptions: readonly Subscription[]): Promise<void> {
  const known = await listConsumers(db)
  for (const each of subscriptions) if (!known.has(each.name)) await register(db, each)
}
