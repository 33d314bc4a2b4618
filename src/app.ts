/** Lists the domains of the service and connects the ports between them. */
import { campaignExists, listScheduledOn } from './campaigns/campaigns.ts'
import { campaigns } from './campaigns/domain.ts'
import { contacts } from './contacts/domain.ts'
import { conversations } from './conversations/domain.ts'
import { getUnread } from './conversations/read-state.ts'
import { createCallerLoader } from './identity/auth/authenticate.ts'
import { identity } from './identity/domain.ts'
import { callersChanged } from './identity/reauthorize.ts'
import { inboxes } from './inboxes/domain.ts'
import type { Deps } from './platform/deps.ts'
import { combine, domain } from './platform/domain.ts'
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts'
import { purgeTokenBuckets } from './platform/limits/stored-buckets.ts'
import { realtime } from './realtime/domain.ts'
import { type Realtime, startRealtime } from './realtime/sockets.ts'
import { sandboxRoutes } from './sandbox-api/routes.ts'
import { segments } from './segments/domain.ts'
import { webhooks } from './webhooks/domain.ts'
import { recordDeletedReference } from './workflows/definition/broken-references.ts'
import { workflows } from './workflows/domain.ts'

export const { routes, jobs, crons, subscriptions, background, sealed } = combine([
  domain({ crons: [purgeIdempotencyKeys, purgeTokenBuckets] }),
  identity,
  contacts,
  inboxes,
  conversations,
  segments({ listScheduledOn, onDeleted: recordDeletedReference }),
  campaigns,
  workflows(campaignExists),
  webhooks,
  realtime,
  domain({ routes: sandboxRoutes }),
])

const accessTopic = 'identity.standing'

/** Starts the sockets of a process that serves HTTP, with unread counts and changes of access rights. */
export function openRealtime(deps: Deps, socketsPerCaller?: number): Realtime {
  const relay = (tenantId: string) => deps.bus.publish(accessTopic, { tenantId })
  deps.db.signals.on(callersChanged, relay)
  const sockets = startRealtime(deps, {
    authenticate: createCallerLoader(deps),
    ...(socketsPerCaller === undefined ? {} : { socketsPerCaller }),
    unread: caller => getUnread(deps, caller),
    onAccessChanged: notify =>
      deps.bus.subscribe<{ tenantId: string }>(
        accessTopic,
        ({ tenantId }) => notify(tenantId),
        () => notify(),
      ),
  })
  const stop = () => {
    deps.db.signals.off(callersChanged, relay)
    return sockets.stop()
  }
  return { ...sockets, stop }
}
