/**
 * What providers tell us is stored, and the work on it enqueued, in one transaction, before they get their 200. Told
 * twice, it is stored once. News of one person is worked on in order, that of others at the same time.
 */

import { applyAccountEvent } from '../../inboxes/health.ts'
import { listInboxesByExternal } from '../../inboxes/inboxes.ts'
import type { ProviderEvent } from '../../inboxes/provider.ts'
import type { Channel } from '../../platform/channels.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Db } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { insertProviderEvents } from '../store/provider-events.ts'
import { processProviderEvent } from './process-provider-event.ts'

interface ProviderCall {
  channel: Channel
  events: readonly ProviderEvent[]
}

export function storeProviderEvents(
  deps: Deps,
  channel: Channel,
  told: readonly ProviderEvent[],
): Promise<void> {
  return storeBatched(deps.db, { channel, events: told })
}

/** Providers call for each piece of news; those that call in the same moment wait for one commit together. */
const storeBatched = batched<ProviderCall, void>({ batchSize: 32, concurrency: 2 }, async (db, calls) => {
  const told = calls.flatMap(({ channel, events: told }) => told.map(news => ({ channel, news })))
  const inboxes = await findInboxes(db, told)
  await transact(db, async tx => {
    for (const { channel, news } of told)
      if (news.type === 'account') await applyAccountEvent(tx, channel, news)
    // A number that nobody here has connected (any more) is none of our business.
    const mine = told.flatMap(({ channel, news }) => {
      const inbox = inboxes.get(`${channel}/${news.accountId}`)
      return inbox && news.type !== 'account' ? [{ channel, news, inbox }] : []
    })
    if (mine.length === 0) return
    const ids = await insertProviderEvents(
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
        const work = {
          tenantId: inbox.tenantId,
          orderingKey: toOrderingKey(channel, news),
          payload: { id: id! },
        }
        return id === undefined ? [] : [[id, work] as const]
      }),
    )
    await enqueueMany(tx, processProviderEvent, [...fresh.values()])
  })
  return calls.map(() => undefined)
})

/** By channel and account. */
async function findInboxes(db: Db, events: readonly { channel: Channel; news: ProviderEvent }[]) {
  const keys = events.map(({ channel, news }) => ({ channel, externalId: news.accountId }))
  const found = await listInboxesByExternal(db, keys)
  return new Map(found.map(inbox => [`${inbox.channel}/${inbox.externalId}`, inbox]))
}

/** Whose news it is: a person's stay in order; a status is about one message. */
function toOrderingKey(channel: Channel, event: ProviderEvent): string {
  if (event.type === 'status') return `${channel}/status/${event.channelMessageId}`
  if (event.type === 'account') return `${channel}/account`
  return `${channel}/${event.from}`
}
