import Type from 'typebox'
import { ContactNotFound, ContactPhoneTaken } from '../../contacts/errors.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { route } from '../../platform/http/route.ts'
import { AnyId, literals, nullable, object } from '../../platform/http/schemas.ts'
import { SegmentNotFound } from '../../segments/errors.ts'
import { AnalyticsQuery, getJourneyAnalytics, JourneyAnalytics } from '../analytics.ts'
import { receiveEvent } from '../custom-events.ts'
import { enrollSegment } from '../enroll-segment.ts'
import {
  EntryRefused,
  RunConflict,
  RunEnded,
  RunNotFailed,
  RunNotFound,
  workflowProblems,
} from '../errors.ts'
import { explainEntry } from '../explain/explain-entry.ts'
import {
  EntryExplanation,
  NewEvent,
  NewRun,
  runStatuses,
  WorkflowRun,
  WorkflowRunDetail,
} from '../run-schemas.ts'
import {
  cancelManyRuns,
  cancelRun,
  getRunDetail,
  listAllRuns,
  listWorkflowRuns,
  retryRun,
  startRun,
} from '../runs.ts'
import { getWorkflow } from '../workflows.ts'

const tag = 'Journeys'
const roles = ['owner', 'admin', 'agent'] as const
const { notFound: JourneyNotFound, notActive: JourneyNotActive } = workflowProblems.journey
const can = (what: string) => ({ scopes: [`journey:${what}`], roles })

export const runRoutes = [
  route({
    method: 'GET',
    path: '/journeys/{id}/runs',
    tag,
    summary: 'List the runs of a journey, newest first',
    access: can('read'),
    extension: true,
    query: object({
      status: Type.Optional(literals(runStatuses)),
      contactId: Type.Optional(AnyId),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    errors: [JourneyNotFound],
    handle: ({ db, caller, params, query, page }) =>
      listWorkflowRuns(db, caller, { kind: 'journey', id: params.id }, query, page),
  }),
  route({
    method: 'GET',
    path: '/chatbots/{id}/runs',
    tag: 'Chatbots',
    summary: 'List the runs of a chatbot, newest first',
    access: can('read'),
    extension: true,
    query: object({
      status: Type.Optional(literals(runStatuses)),
      contactId: Type.Optional(AnyId),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    errors: [workflowProblems.chatbot.notFound],
    handle: ({ db, caller, params, query, page }) =>
      listWorkflowRuns(db, caller, { kind: 'chatbot', id: params.id }, query, page),
  }),
  route({
    method: 'GET',
    path: '/runs',
    tag,
    summary: 'List the runs of all journeys and chatbots, newest first',
    access: can('read'),
    extension: true,
    query: object({
      status: Type.Optional(literals(runStatuses)),
      contactId: Type.Optional(AnyId),
      workflowId: Type.Optional(AnyId),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    handle: ({ db, caller, query, page }) => listAllRuns(db, caller, query, page),
  }),
  route({
    method: 'POST',
    path: '/runs/cancel',
    tag,
    summary: 'Cancel the runs in progress of a workflow, a contact or both, up to 1,000 per request',
    access: can('activate'),
    extension: true,
    body: object({ workflowId: Type.Optional(AnyId), contactId: Type.Optional(AnyId) }),
    success: { status: 200, body: object({ cancelled: Type.Integer(), hasMore: Type.Boolean() }) },
    handle: ({ write, caller, body }) => write(tx => cancelManyRuns(tx, caller, body)),
  }),
  route({
    method: 'GET',
    path: '/journeys/{id}/analytics',
    tag,
    summary: 'Count the runs that entered, wait at and passed each node, and over time',
    access: can('read'),
    extension: true,
    query: AnalyticsQuery,
    success: { status: 200, body: JourneyAnalytics },
    errors: [JourneyNotFound],
    handle: async ({ db, caller, params, query }) =>
      getJourneyAnalytics(db, await getWorkflow(db, caller.tenantId, 'journey', params.id), query),
  }),
  route({
    method: 'POST',
    path: '/journeys/{id}/enroll',
    tag,
    summary: 'Start runs of an active journey for the contacts of a segment, in the background',
    description: 'Entry mode and conditions apply to each contact.',
    access: { scopes: ['journey:activate', 'segment:read', 'contact:list'], roles: ['owner', 'admin'] },
    extension: true,
    body: object({ segmentId: AnyId }),
    success: { status: 202, body: object({ journeyId: AnyId, segmentId: AnyId }) },
    errors: [JourneyNotFound, JourneyNotActive, SegmentNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => enrollSegment(tx, caller, params.id, body.segmentId)),
  }),
  route({
    method: 'POST',
    path: '/journeys/{id}/runs',
    tag,
    summary: 'Start a run of an active journey for a contact',
    access: can('activate'),
    extension: true,
    body: NewRun,
    success: { status: 201, body: WorkflowRun },
    errors: [JourneyNotFound, ContactNotFound, JourneyNotActive, EntryRefused],
    handle: ({ write, caller, params, body }) => write(tx => startRun(tx, caller, params.id, body)),
  }),
  route({
    method: 'GET',
    path: '/journeys/{id}/contacts/{contactId}/explain',
    tag,
    summary: 'Explain why a contact did or did not enter a journey',
    access: { scopes: ['journey:read', 'contact:read'], roles },
    extension: true,
    success: { status: 200, body: EntryExplanation },
    errors: [JourneyNotFound, ContactNotFound],
    handle: ({ db, caller, params }) => explainEntry(db, caller, params.id, params.contactId),
  }),
  route({
    method: 'GET',
    path: '/runs/{id}',
    tag,
    summary: 'Get a run of a journey or chatbot with its path and what it waits for',
    access: can('read'),
    extension: true,
    success: { status: 200, body: WorkflowRunDetail },
    errors: [RunNotFound],
    handle: ({ db, caller, params }) => getRunDetail(db, caller, params.id),
  }),
  route({
    method: 'POST',
    path: '/runs/{id}/cancel',
    tag,
    summary: 'Cancel a run',
    access: can('activate'),
    extension: true,
    success: { status: 200, body: WorkflowRun },
    errors: [RunNotFound, RunEnded],
    handle: ({ write, caller, params }) => write(tx => cancelRun(tx, caller, params.id)),
  }),
  route({
    method: 'POST',
    path: '/runs/{id}/retry',
    tag,
    summary: 'Retry the failed step of a run',
    access: can('activate'),
    extension: true,
    success: { status: 200, body: WorkflowRun },
    errors: [RunNotFound, RunNotFailed, RunConflict],
    handle: ({ write, caller, params }) => write(tx => retryRun(tx, caller, params.id)),
  }),
  route({
    method: 'POST',
    path: '/events',
    tag,
    summary: 'Send a custom event about a contact',
    access: {
      scopes: ['event:create'],
      roles,
      bodyScopes: body => (body.contact === undefined ? [] : ['contact:create', 'contact:update']),
      conditionalScopes: [
        { when: 'contact is set', scope: 'contact:create' },
        { when: 'contact is set', scope: 'contact:update' },
      ],
    },
    extension: true,
    body: NewEvent,
    success: {
      status: 202,
      body: object({ contactId: AnyId, name: Type.String(), key: nullable(Type.String()) }),
    },
    errors: [ContactNotFound, ContactPhoneTaken],
    handle: ({ db, caller, body, write, exclusiveWrite }) =>
      receiveEvent(db, caller, body, { write, exclusiveWrite }),
  }),
]
