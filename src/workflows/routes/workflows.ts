import Type from 'typebox'
import { tokenPage } from '../../platform/http/page.ts'
import { route } from '../../platform/http/route.ts'
import { AnyId, IdPath, object } from '../../platform/http/schemas.ts'
import { checkActivatable, findBrokenReferences } from '../definition/broken-references.ts'
import { buildDiff, WorkflowDiff } from '../definition/diff.ts'
import { checkPublishable } from '../definition/validation.ts'
import {
  JourneyActive,
  JourneyChanged,
  JourneyNotActive,
  JourneyNotFound,
  JourneyNotPublished,
  JourneyVersionNotFound,
} from '../errors.ts'
import { createJourney, journeyToApi, journeyVersionToApi, updateJourney } from '../journeys.ts'
import { Journey, JourneyPatch, JourneyVersion, NewJourney } from '../schemas.ts'
import { listVersionPage, listWorkflowPage } from '../versions.ts'
import {
  activateWorkflow,
  deleteWorkflow,
  getVersion,
  getWorkflow,
  pauseWorkflow,
  publishWorkflow,
  restoreVersion,
} from '../workflows.ts'

const tag = 'Journeys'
const roles = ['owner', 'admin', 'agent'] as const
const can = (what: string) => ({ scopes: [`journey:${what}`], roles })
const kind = 'journey'

export const journeyRoutes = [
  route({
    method: 'GET',
    path: '/journeys',
    tag,
    summary: 'List the journeys',
    access: can('list'),
    page: tokenPage,
    success: {
      status: 200,
      body: object({
        journeys: Type.Array(Journey),
        nextPageToken: Type.Optional(Type.String()),
        totalSize: Type.Integer(),
      }),
    },
    handle: async ({ db, caller, page }) => {
      const { rows, ...rest } = await listWorkflowPage(db, caller.tenantId, kind, page)
      return { journeys: rows.map(journeyToApi), ...rest }
    },
  }),
  route({
    method: 'POST',
    path: '/journeys',
    tag,
    summary: 'Create a journey as a draft',
    description: 'triggerConfig and entryMode are kept in the start node, which is made when there is none.',
    access: can('create'),
    body: NewJourney,
    success: { status: 201, body: Journey },
    handle: ({ write, caller, body }) => write(tx => createJourney(tx, caller, body)),
  }),
  route({
    method: 'GET',
    path: '/journeys/{id}',
    tag,
    summary: 'Get a journey',
    access: can('read'),
    params: IdPath,
    success: { status: 200, body: Journey },
    errors: [JourneyNotFound],
    handle: async context => {
      const row = await getWorkflow(context.db, context.caller.tenantId, kind, context.params.id)
      return { ...journeyToApi(row), missing: await findBrokenReferences(context, row) }
    },
  }),
  route({
    method: 'PATCH',
    path: '/journeys/{id}',
    tag,
    summary: 'Edit the draft of a journey; what runs stays as it was published',
    access: can('update'),
    params: IdPath,
    body: JourneyPatch,
    success: { status: 200, body: Journey },
    errors: [JourneyNotFound],
    handle: ({ write, caller, params, body }) => write(tx => updateJourney(tx, caller, params.id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/journeys/{id}',
    tag,
    summary: 'Delete a journey that is not active',
    access: can('delete'),
    params: IdPath,
    success: { status: 204 },
    errors: [JourneyNotFound, JourneyActive],
    handle: ({ write, caller, params }) => write(tx => deleteWorkflow(tx, caller, kind, params.id)),
  }),
  route({
    method: 'POST',
    path: '/journeys/{id}/publish',
    tag,
    summary: 'Check the draft and make an immutable version of it',
    access: can('publish'),
    params: IdPath,
    success: { status: 200, body: JourneyVersion },
    errors: [JourneyNotFound, JourneyChanged],
    handle: async context => {
      const { caller, params } = context
      const draft = await getWorkflow(context.db, caller.tenantId, kind, params.id)
      await checkPublishable(context, draft)
      return journeyVersionToApi(await context.write(tx => publishWorkflow(tx, caller, draft)))
    },
  }),
  route({
    method: 'POST',
    path: '/journeys/{id}/activate',
    tag,
    summary: 'Let events start runs of the published version',
    access: can('activate'),
    params: IdPath,
    success: { status: 200, body: Journey },
    errors: [JourneyNotFound, JourneyNotPublished, JourneyActive],
    handle: async context => {
      const { caller, params } = context
      await checkActivatable(context, await getWorkflow(context.db, caller.tenantId, kind, params.id))
      return context.write(async tx => journeyToApi(await activateWorkflow(tx, caller, kind, params.id)))
    },
  }),
  route({
    method: 'POST',
    path: '/journeys/{id}/pause',
    tag,
    summary: 'Start no new runs; those under way go on',
    access: can('activate'),
    params: IdPath,
    success: { status: 200, body: Journey },
    errors: [JourneyNotFound, JourneyNotActive],
    handle: ({ write, caller, params }) =>
      write(async tx => journeyToApi(await pauseWorkflow(tx, caller, kind, params.id))),
  }),
]

const versionsPath = object({ id: AnyId, versionId: AnyId })

export const journeyVersionRoutes = [
  route({
    method: 'GET',
    path: '/journeys/{id}/versions',
    tag,
    summary: 'List the versions of a journey, newest first',
    access: can('read'),
    params: IdPath,
    page: tokenPage,
    success: {
      status: 200,
      body: object({
        journeyVersions: Type.Array(JourneyVersion),
        nextPageToken: Type.Optional(Type.String()),
        totalSize: Type.Integer(),
      }),
    },
    errors: [JourneyNotFound],
    handle: async ({ db, caller, params, page }) => {
      const { rows, ...rest } = await listVersionPage(db, caller.tenantId, kind, params.id, page)
      return { journeyVersions: rows.map(journeyVersionToApi), ...rest }
    },
  }),
  route({
    method: 'GET',
    path: '/journeys/versions/{versionId}',
    tag,
    summary: 'Get a version of a journey',
    access: can('read'),
    params: object({ versionId: AnyId }),
    success: { status: 200, body: JourneyVersion },
    errors: [JourneyVersionNotFound],
    handle: async ({ db, caller, params }) =>
      journeyVersionToApi(await getVersion(db, caller.tenantId, kind, params.versionId)),
  }),
  route({
    method: 'GET',
    path: '/journeys/{id}/versions/{a}/diff/{b}',
    tag,
    summary: 'Say what changed between two versions of a journey',
    access: can('read'),
    extension: true,
    params: object({ id: AnyId, a: AnyId, b: AnyId }),
    success: { status: 200, body: WorkflowDiff },
    errors: [JourneyNotFound, JourneyVersionNotFound],
    handle: async ({ db, caller, params }) => {
      const { id } = await getWorkflow(db, caller.tenantId, kind, params.id)
      const side = (versionId: string) => getVersion(db, caller.tenantId, kind, versionId, id)
      return buildDiff(await side(params.a), await side(params.b))
    },
  }),
  route({
    method: 'POST',
    path: '/journeys/{id}/versions/{versionId}/restore',
    tag,
    summary: 'Make the draft what a version was',
    access: can('update'),
    extension: true,
    params: versionsPath,
    success: { status: 200, body: Journey },
    errors: [JourneyNotFound, JourneyVersionNotFound],
    handle: ({ write, caller, params }) =>
      write(async tx => journeyToApi(await restoreVersion(tx, caller, kind, params.id, params.versionId))),
  }),
]
