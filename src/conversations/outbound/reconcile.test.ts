/** How long the search for a send goes on, whatever the clocks of the processes say. */

import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { movableClock } from '../../../test/harness/clock.ts'
import { InboxId } from '../../inboxes/schemas.ts'
import { transact } from '../../platform/db/transact.ts'
import { MessageId } from '../schemas.ts'
import type { PendingSend } from '../store/messages/deliveries.ts'
import { insertProviderEvents } from '../store/provider-events.ts'
import { shouldKeepSearching } from './reconcile.ts'

const { deps, workspace } = await testApi()
const hour = 3_600_000

function uncertain(tenantId: string): PendingSend {
  const message = {
    tenantId,
    id: MessageId.create(),
    channel: 'chatapp',
    sendStartedAt: new Date().toISOString(),
  }
  return message as unknown as PendingSend
}

/** A system clock that was corrected while the process runs. */
const wrongBy = (ms: number) => ({ now: () => new Date(Date.now() + ms), offsetMs: () => 0 })

test('the search ends after its time, not when a clock jumps', async () => {
  const { tenantId } = await workspace()
  const message = uncertain(tenantId)
  for (const ms of [-hour, 0, hour])
    expect(await shouldKeepSearching({ ...deps, clock: wrongBy(ms) }, message), `wrong by ${ms} ms`).toBe(
      true,
    )

  const clock = movableClock()
  clock.advance(deps.channels.chatapp.sendReconcileMs - 1_000)
  expect(await shouldKeepSearching({ ...deps, clock }, message)).toBe(true)
  clock.advance(1_001)
  expect(await shouldKeepSearching({ ...deps, clock }, message)).toBe(false)
})

test('a stored event that is not processed yet prolongs the search, whatever the clock of its receiver', async () => {
  const { tenantId } = await workspace()
  const clock = movableClock()
  const messages = [uncertain(tenantId), uncertain(tenantId)] as const
  const over = async (message: PendingSend) => !(await shouldKeepSearching({ ...deps, clock }, message))
  for (const message of messages) expect(await over(message)).toBe(false)
  const received = { ...deps.db, clock: wrongBy(-hour) }
  await transact(received, tx =>
    insertProviderEvents(tx, [
      {
        channel: 'chatapp',
        accountId: '1',
        dedupeKey: messages[0].id,
        tenantId,
        inboxId: InboxId.create(),
        payload: JSON.stringify({ type: 'status', messageId: messages[0].id }),
      },
    ]),
  )
  clock.advance(deps.channels.chatapp.sendReconcileMs + 1)
  expect(await over(messages[0])).toBe(false)
  expect(await over(messages[1])).toBe(true)
})
