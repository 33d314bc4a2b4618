/**
 * What providers tell us is stored, and the work on it enqueued, in one transaction, before they get their 200. Told
 * twice, it is stored once. News of one person is worked on in order, that of others at the same time.
 */

import { listInboxesByExternal } from '../inboxes/inboxes.ts'
import type { Happening } from '../inboxes/provider.ts'
import { applyAccountUpdate } from '../inboxes/status.ts'
import type { Channel } from '../platform/channels.ts'
import { batching } from '../platform/db/batching.ts'
import type { Db } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { enqueueMany } from '../platform/jobs/enqueue.ts'
import { processHappening } from './inbound.ts'
import { insertHappenings } from './store/happenings.ts'

interface Call {
  channel: Channel
  told: readonly Happening[]
}

export function storeHappenings(deps: Deps, channel: Channel, told: readonly Happening[]): Promise<void> {
  return storeSoon(deps.db, { channel, told })
}

/** Providers call for each piece of news; those that call in the same moment wait for one commit together. */
const storeSoon = batching<Call, void>({ most: 32, atOnce: 2 }, async (db, calls) => {
  const told = calls.flatMap(({ channel, told }) => told.map(news => ({ channel, news })))
  const inboxes = await inboxesOf(db, told)
  await transact(db, async tx => {
    for (const { channel, news } of told)
      if (news.type === 'account') await applyAccountUpdate(tx, channel, news)
    // A number that nobody here has connected (any more) is none of our business.
    const mine = told.flatMap(({ channel, news }) => {
      const inbox = inboxes.get(`${channel}/${news.accountId}`)
      return inbox && news.type !== 'account' ? [{ channel, news, inbox }] : []
    })
    if (mine.length === 0) return
    const ids = await insertHappenings(
      tx,
      mine.map(({ channel, news, inbox }) => ({
        channel,
        accountId: news.accountId,
        dedupeKey: `${news.type}/${news.dedupeKey}`,
        tenantId: inbox.tenantId,
        inboxId: inbox.id,
        told: JSON.stringify(news),
      })),
    )
    const fresh = new Map(
      mine.flatMap(({ channel, news, inbox }) => {
        const id = ids.get(`${channel}/${news.accountId}/${news.type}/${news.dedupeKey}`)
        const work = { tenantId: inbox.tenantId, key: laneOf(channel, news), payload: { id: id! } }
        return id === undefined ? [] : [[id, work] as const]
      }),
    )
    await enqueueMany(tx, processHappening, [...fresh.values()])
  })
  return calls.map(() => undefined)
})

/** By channel and account. */
async function inboxesOf(db: Db, told: readonly { channel: Channel; news: Happening }[]) {
  const keys = told.map(({ channel, news }) => ({ channel, externalId: news.accountId }))
  const found = await listInboxesByExternal(db, keys)
  return new Map(found.map(inbox => [`${inbox.channel}/${inbox.externalId}`, inbox]))
}

/** Whose news it is: a person's stay in order; a status is about one message. */
function laneOf(channel: Channel, news: Happening): string {
  if (news.type === 'status') return `${channel}/status/${news.channelMessageId}`
  if (news.type === 'account') return `${channel}/account`
  return `${channel}/${news.from}`
}
