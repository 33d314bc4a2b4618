/** Records when and from where API keys are used, accurate to a minute. */
import { recordUses } from '../../platform/db/last-uses.ts'
import { type KeyUse, updateKeyUses } from '../store/service-accounts.ts'

const intervalMs = 60_000

export const recordKeyUse = recordUses<KeyUse>(intervalMs, (db, uses) => updateKeyUses(db, uses, intervalMs))
