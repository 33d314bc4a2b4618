/** Sends users their unread counts. */
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Socket } from '../workspace-stream.ts'
import { createCountNotifier } from './count-notifier.ts'

export function createUnreadNotifier(
  deps: Pick<Deps, 'log' | 'clock'>,
  unread: (caller: Caller) => Promise<object>,
): (socket: Socket) => void {
  return createCountNotifier(deps, {
    type: 'unread_count_update',
    toKey: ({ caller }) => (caller.kind === 'user' ? `${caller.tenantId}/${caller.id}` : undefined),
    count: ({ caller }) => unread(caller),
  })
}
