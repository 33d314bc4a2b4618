/** Lists the domains of the service and connects the ports between them. */
import { campaignExists, listScheduledOn } from './campaigns/campaigns.ts'
import { campaigns } from './campaigns/domain.ts'
import { collaboration } from './collaboration/domain.ts'
import { consoleApi } from './console/domain.ts'
import { contacts, contactTimelineApi } from './contacts/domain.ts'
import { conversations } from './conversations/domain.ts'
import { identity } from './identity/domain.ts'
import { inboxes } from './inboxes/domain.ts'
import { combine, type Domain, domain } from './platform/domain.ts'
import { purgeIdempotencyKeys } from './platform/http/idempotency/idempotency.ts'
import { purgeTokenBuckets } from './platform/limits/stored-buckets.ts'
import { realtime } from './realtime/domain.ts'
import { sandboxRoutes } from './sandbox-api/routes.ts'
import { segments } from './segments/domain.ts'
import { webchat } from './webchat/domain.ts'
import { webhooks } from './webhooks/domain.ts'
import { recordDeletedReference } from './workflows/definition/broken-references.ts'
import { workflows } from './workflows/domain.ts'

const parts: Domain = combine([
  domain({ crons: [purgeIdempotencyKeys, purgeTokenBuckets] }),
  identity(() => routes),
  contacts,
  inboxes,
  conversations,
  collaboration,
  segments({ listScheduledOn, onDeleted: recordDeletedReference }),
  campaigns,
  workflows(campaignExists),
  webhooks,
  realtime,
  webchat,
  domain({ routes: sandboxRoutes }),
])

export const { routes, jobs, crons, subscriptions, background, sealed } = combine([
  parts,
  consoleApi(parts.bootstrap, parts.search),
  contactTimelineApi(parts.contactTimeline),
])
