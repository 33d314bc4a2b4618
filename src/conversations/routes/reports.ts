import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { getCsatReport } from '../reports/csat.ts'
import { getOverview } from '../reports/overview.ts'
import {
  CsatQuery,
  CsatReport,
  OverviewQuery,
  ReportOverview,
  WaitingQuery,
  WaitingReport,
} from '../reports/schemas.ts'
import { getWaitingReport } from '../reports/waiting.ts'

const route = section('Reports', { extension: true })

export const reportRoutes = [
  route('GET /reports/overview', {
    operationId: 'getReportOverview',
    summary: 'Count what happened in conversations',
    description:
      'Openings, closings, replies and durations of at most 366 days, in total and by group. Openings have no user. Agents receive the figures of their own replies and closings. Deleted inboxes, teams and users keep their figures under their ids.',
    access: { scopes: ['report:read'], roles: everyone },
    query: OverviewQuery,
    replica: true,
    success: { status: 200, body: ReportOverview },
    handle: ({ db, caller, query }) => getOverview(db, caller, query),
  }),
  route('GET /reports/waiting', {
    operationId: 'getWaitingReport',
    summary: 'Count the customers who wait for a reply now',
    description:
      'Open conversations in which the customer waits for a person, for the first or the next reply, and for how long; those that are snoozed are left out. Agents receive the figures of the conversations that they can see.',
    access: { scopes: ['report:read'], roles: everyone },
    query: WaitingQuery,
    replica: true,
    success: { status: 200, body: WaitingReport },
    handle: ({ db, caller, query }) => getWaitingReport(db, caller, query),
  }),
  route('GET /reports/csat', {
    operationId: 'getCsatReport',
    summary: 'Count the ratings of satisfaction surveys',
    description:
      'Surveys, ratings, their average, distribution and response rate of at most 366 days, in total and by group. A rating counts at the time at which its survey was sent. Agents receive the ratings of their own sessions.',
    access: { scopes: ['report:read'], roles: everyone },
    query: CsatQuery,
    replica: true,
    success: { status: 200, body: CsatReport },
    handle: ({ db, caller, query }) => getCsatReport(db, caller, query),
  }),
]
