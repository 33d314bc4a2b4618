import Type from 'typebox'
import { getContact } from '../../contacts/contacts.ts'
import { ContactNotFound, ContactPhoneTaken } from '../../contacts/errors.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, nullable, object } from '../../platform/http/schemas.ts'
import { SegmentNotFound } from '../../segments/errors.ts'
import { ContactFilter } from '../../segments/filter/filter.ts'
import { receiveEvent } from '../custom-events.ts'
import {
  EntryRefused,
  RunConflict,
  RunEnded,
  RunNotFailed,
  RunNotFound,
  workflowProblems,
} from '../errors.ts'
import { explainEntry } from '../explain/explain-entry.ts'
import { enrollContacts } from '../journeys/enroll-contacts.ts'
import {
  EntryExplanation,
  NewEvent,
  NewRun,
  runStatuses,
  WorkflowRun,
  WorkflowRunDetail,
} from '../runs/run-schemas.ts'
import {
  cancelManyRuns,
  cancelRun,
  getRunDetail,
  listAllRuns,
  listWorkflowRuns,
  retryRun,
  startRun,
} from '../runs/runs.ts'
import { AnalyticsQuery, getJourneyAnalytics, JourneyAnalytics } from '../statistics/analytics.ts'
import { getWorkflow } from '../workflows.ts'

const route = section('Journeys', { extension: true })
const chatbotRoute = section('Chatbots', { extension: true })
const { notFound: JourneyNotFound, notActive: JourneyNotActive } = workflowProblems.journey
const WorkflowRunsQuery = object({
  status: Type.Optional(literals(runStatuses)),
  contactId: Type.Optional(AnyId),
  nodeId: Type.Optional({
    ...AnyId,
    description: 'the current node, or the last one of an ended run',
  }),
})
const can = (what: string) => ({ scopes: [`journey:${what}`], roles: everyone })

export const runRoutes = [
  route('GET /journeys/{id}/runs', {
    operationId: 'listJourneyRuns',
    summary: 'List the runs of a journey, newest first',
    description: 'Filtered by status, contact and node.',
    access: can('read'),
    query: WorkflowRunsQuery,
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    errors: [JourneyNotFound],
    handle: ({ db, caller, params, query, page }) =>
      listWorkflowRuns(db, caller, { kind: 'journey', id: params.id }, query, page),
  }),
  chatbotRoute('GET /chatbots/{id}/runs', {
    operationId: 'listChatbotRuns',
    summary: 'List the runs of a chatbot, newest first',
    description: 'Filtered by status, contact and node.',
    access: can('read'),
    query: WorkflowRunsQuery,
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    errors: [workflowProblems.chatbot.notFound],
    handle: ({ db, caller, params, query, page }) =>
      listWorkflowRuns(db, caller, { kind: 'chatbot', id: params.id }, query, page),
  }),
  route('GET /runs', {
    operationId: 'listRuns',
    summary: 'List the runs of all journeys and chatbots, newest first',
    description: 'Filtered by contact, status and workflow.',
    access: can('read'),
    query: object({
      status: Type.Optional(literals(runStatuses)),
      contactId: Type.Optional(AnyId),
      workflowId: Type.Optional(AnyId),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    handle: ({ db, caller, query, page }) => listAllRuns(db, caller, query, page),
  }),
  route('GET /contacts/{id}/runs', {
    operationId: 'listContactRuns',
    summary: 'List the runs of a contact, newest first',
    description: 'Runs of all journeys and chatbots.',
    access: { scopes: ['contact:read', ...can('read').scopes], roles: can('read').roles },
    query: object({ status: Type.Optional(literals(runStatuses)) }),
    page: tokenPage,
    success: { status: 200, body: object({ runs: Type.Array(WorkflowRun), nextPageToken }) },
    errors: [ContactNotFound],
    handle: async ({ db, caller, params, query, page }) => {
      const { id: contactId } = await getContact(db, caller, params.id)
      return listAllRuns(db, caller, { ...query, contactId }, page)
    },
  }),
  route('POST /runs/cancel', {
    operationId: 'cancelRuns',
    summary: 'Cancel the runs in progress of a workflow, a contact or both, up to 1,000 per request',
    description: 'Repeat the request until it cancels none. At least one of the members is required.',
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
    access: can('activate'),
    body: object({ workflowId: Type.Optional(AnyId), contactId: Type.Optional(AnyId) }),
    success: { status: 200, body: object({ cancelled: Type.Integer(), hasMore: Type.Boolean() }) },
    handle: ({ write, caller, body }) => write(tx => cancelManyRuns(tx, caller, body)),
  }),
  route('GET /journeys/{id}/analytics', {
    operationId: 'getJourneyAnalytics',
    summary: 'Count the runs that entered, wait at and passed each node, and over time',
    description: 'Counts of all versions of the journey.',
    access: can('read'),
    query: AnalyticsQuery,
    replica: true,
    success: { status: 200, body: JourneyAnalytics },
    errors: [JourneyNotFound],
    handle: async ({ db, caller, params, query }) =>
      getJourneyAnalytics(db, await getWorkflow(db, caller.tenantId, 'journey', params.id), query),
  }),
  route('POST /journeys/{id}/enroll', {
    operationId: 'enrollSegment',
    summary: 'Start runs of an active journey for many contacts, in the background',
    example: { segmentId: 'seg_01k4xq7d9hfk3b0m6a7yz2c5rk' },
    description:
      'For the contacts of a segment, all that match a filter, or up to 1,000 ids: exactly one of the members. Entry mode and conditions apply to each contact; archived and deleted ones do not enter.',
    access: { scopes: ['journey:activate', 'segment:read', 'contact:list'], roles: managers },
    body: object({
      segmentId: Type.Optional(AnyId),
      filter: Type.Optional(ContactFilter),
      contactIds: Type.Optional(Type.Array(AnyId, { minItems: 1, maxItems: 1_000 })),
    }),
    success: { status: 202, body: object({ journeyId: AnyId, segmentId: Type.Optional(AnyId) }) },
    errors: [JourneyNotFound, JourneyNotActive, SegmentNotFound],
    handle: ({ write, caller, params, body }) => write(tx => enrollContacts(tx, caller, params.id, body)),
  }),
  route('POST /journeys/{id}/runs', {
    operationId: 'startJourneyRun',
    summary: 'Start a run of an active journey for a contact',
    description: 'Ignores the trigger, and respects the entry mode.',
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re', data: { source: 'web' } },
    access: can('activate'),
    body: NewRun,
    success: { status: 201, body: WorkflowRun },
    errors: [JourneyNotFound, ContactNotFound, JourneyNotActive, EntryRefused],
    handle: ({ write, caller, params, body }) => write(tx => startRun(tx, caller, params.id, body)),
  }),
  route('GET /journeys/{id}/contacts/{contactId}/explain', {
    operationId: 'explainJourneyEntry',
    summary: 'Explain why a contact did or did not enter a journey',
    description: 'Shows each rule of the entry with its result for the contact.',
    access: { scopes: ['journey:read', 'contact:read'], roles: everyone },
    success: { status: 200, body: EntryExplanation },
    errors: [JourneyNotFound, ContactNotFound],
    handle: ({ db, caller, params }) => explainEntry(db, caller, params.id, params.contactId),
  }),
  route('GET /runs/{id}', {
    operationId: 'getRun',
    summary: 'Get a run of a journey or chatbot with its path and what it waits for',
    description: 'Shows the steps with their outputs and times.',
    access: can('read'),
    success: { status: 200, body: WorkflowRunDetail },
    errors: [RunNotFound],
    handle: ({ db, caller, params }) => getRunDetail(db, caller, params.id),
  }),
  route('POST /runs/{id}/cancel', {
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description: 'Ends the run at its current node.',
    access: can('activate'),
    success: { status: 200, body: WorkflowRun },
    errors: [RunNotFound, RunEnded],
    handle: ({ write, caller, params }) => write(tx => cancelRun(tx, caller, params.id)),
  }),
  route('POST /runs/{id}/retry', {
    operationId: 'retryRun',
    summary: 'Retry the failed step of a run',
    description: 'Continues at the node that failed.',
    access: can('activate'),
    success: { status: 200, body: WorkflowRun },
    errors: [RunNotFound, RunNotFailed, RunConflict],
    handle: ({ write, caller, params }) => write(tx => retryRun(tx, caller, params.id)),
  }),
  route('POST /events', {
    operationId: 'sendEvent',
    summary: 'Send a custom event about a contact',
    description: 'Starts journeys whose trigger names the event, and resumes runs that wait for it.',
    example: {
      name: 'cart.updated',
      contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re',
      key: 'cart-42',
      data: { items: 3 },
    },
    access: {
      scopes: ['event:create'],
      roles: everyone,
      bodyScopes: body => (body.contact === undefined ? [] : ['contact:create', 'contact:update']),
      conditionalScopes: [
        { when: 'contact is set', scope: 'contact:create' },
        { when: 'contact is set', scope: 'contact:update' },
      ],
    },
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
