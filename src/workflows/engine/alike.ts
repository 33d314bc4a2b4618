/** What many runs do at the same moment is done for all of them at once. */
import { addTags, lockTags } from '../../contacts/tags-and-fields/tags.ts'
import type { Tx } from '../../platform/db/db.ts'
import { withCausationDepth } from '../../platform/db/transact.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Effects } from '../nodes/node-type.ts'
import type { Run } from './run/run.ts'

interface PendingTag {
  contactId: string
  tagId: string
  causationDepth: number
  resolve: (there: boolean) => void
  reject: (error: unknown) => void
}

/** For one transaction. */
export function batchEffects(tx: Tx, tenantId: string): (effects: Effects, run: Run) => Effects {
  let waiting: PendingTag[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const there = await lockTags(tx, tenantId, [...new Set(batch.map(one => one.tagId))])
      const wanted = batch.filter(one => there.has(one.tagId))
      for (const [depth, pairs] of groupBy(wanted, one => String(one.causationDepth)))
        await addTags(withCausationDepth(tx, Number(depth)), tenantId, pairs)
      for (const one of batch) one.resolve(there.has(one.tagId))
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
  }

  return (effects, { contactId, causationDepth }) => ({
    ...effects,
    addTag: tagId =>
      new Promise<boolean>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ contactId, tagId, causationDepth, resolve, reject })
      }),
  })
}
