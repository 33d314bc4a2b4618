/** Declares what a domain adds to a process: routes, jobs, crons, event subscriptions and background loops. */
import type { BootstrapPart } from './contributions/bootstrap.ts'
import type { SearchPart } from './contributions/search.ts'
import type { TimelinePart } from './contributions/timeline-parts.ts'
import type { ConnectionConfig } from './db/db.ts'
import type { Deps } from './deps.ts'
import type { SealedColumn } from './encryption/sealed-columns.ts'
import type { Subscription } from './events/subscription.ts'
import type { Route } from './http/route.ts'
import type { Cron } from './jobs/cron.ts'
import type { AnyJob } from './jobs/job.ts'

/** Starts a loop in every process that runs jobs. The connection goes directly to the server, past any pooler. */
export type Background = (
  deps: Deps,
  options: { connection: ConnectionConfig },
) => { stop(graceMs: number): Promise<void> }

export interface Domain {
  routes: readonly Route[]
  jobs: readonly AnyJob[]
  crons: readonly Cron[]
  subscriptions: readonly Subscription[]
  background: readonly Background[]
  sealed: readonly SealedColumn[]
  bootstrap: readonly BootstrapPart[]
  search: readonly SearchPart[]
  contactTimeline: readonly TimelinePart[]
}

export function domain(parts: Partial<Domain>): Domain {
  return {
    routes: [],
    jobs: [],
    crons: [],
    subscriptions: [],
    background: [],
    sealed: [],
    bootstrap: [],
    search: [],
    contactTimeline: [],
    ...parts,
  }
}

export function combine(domains: readonly Domain[]): Domain {
  return {
    routes: domains.flatMap(each => each.routes),
    jobs: domains.flatMap(each => each.jobs),
    crons: domains.flatMap(each => each.crons),
    subscriptions: domains.flatMap(each => each.subscriptions),
    background: domains.flatMap(each => each.background),
    sealed: domains.flatMap(each => each.sealed),
    bootstrap: domains.flatMap(each => each.bootstrap),
    search: domains.flatMap(each => each.search),
    contactTimeline: domains.flatMap(each => each.contactTimeline),
  }
}
