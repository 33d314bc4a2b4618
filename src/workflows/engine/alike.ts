/** What many runs do at the same moment is done for all of them at once. */
import { addTags, holdTagIds } from '../../contacts/tags.ts'
import type { Tx } from '../../platform/db/db.ts'
import { causedAt } from '../../platform/db/transact.ts'
import type { Effects } from '../nodes/kind.ts'
import { grouped } from './grouped.ts'
import type { Run } from './run.ts'

interface Tagging {
  contactId: string
  tagId: string
  causeDepth: number
  resolve: (there: boolean) => void
  reject: (error: unknown) => void
}

/** For one transaction. */
export function alike(tx: Tx, tenantId: string): (effects: Effects, run: Run) => Effects {
  let waiting: Tagging[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const there = await holdTagIds(tx, tenantId, [...new Set(batch.map(one => one.tagId))])
      const wanted = batch.filter(one => there.has(one.tagId))
      for (const [depth, pairs] of grouped(wanted, one => String(one.causeDepth)))
        await addTags(causedAt(tx, Number(depth)), tenantId, pairs)
      for (const one of batch) one.resolve(there.has(one.tagId))
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
  }

  return (effects, { contactId, causeDepth }) => ({
    ...effects,
    addTag: tagId =>
      new Promise<boolean>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ contactId, tagId, causeDepth, resolve, reject })
      }),
  })
}
