/** Builds the routes of a kind of workflow: journeys and chatbots differ in their schemas and a few operations. */
import Type, { type TSchema } from 'typebox'
import { ContactNotFound, ContactPhoneTaken } from '../../contacts/errors.ts'
import { recordAudit } from '../../identity/audit.ts'
import type { RoleDeps } from '../../identity/reauthorize.ts'
import { everyone } from '../../identity/roles.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { ProblemKind } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { type Route, section } from '../../platform/http/route.ts'
import { Name, object } from '../../platform/http/schemas.ts'
import { checkActivatable, findBrokenReferences } from '../definition/broken-references.ts'
import { buildDiff, WorkflowDiff } from '../definition/diff.ts'
import type { CampaignExists } from '../definition/references.ts'
import { checkPublishable } from '../definition/validation.ts'
import { findWarnings } from '../definition/warnings.ts'
import { RightsMissing, workflowProblems } from '../errors.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import { checkPublisher } from '../publisher-rights.ts'
import { Simulation, SimulationRequest } from '../simulation/schemas.ts'
import { simulate } from '../simulation/simulation.ts'
import type { VersionRow } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import {
  getVersion,
  getWorkflow,
  listVersionPage,
  listWorkflowPage,
  publishWorkflow,
  restoreVersion,
  type WorkflowKey,
} from '../workflows.ts'

interface WorkflowApi {
  kind: WorkflowKind
  campaignExists: CampaignExists
  /** The word in operation ids. */
  noun: 'Journey' | 'Chatbot'
  schemas: { workflow: TSchema; version: TSchema; create: TSchema; update: TSchema }
  /** The contract reads a journey's version without the journey's id. */
  versionPath: `/${string}/{versionId}`
  toApi: (row: WorkflowRow) => unknown
  versionToApi: (row: VersionRow) => unknown
  create: (tx: Tx, caller: Caller, body: never) => Promise<unknown>
  update: (tx: Tx, caller: Caller, key: WorkflowKey, body: never) => Promise<unknown>
  remove: (tx: Tx, caller: Caller, key: WorkflowKey) => Promise<void>
  activate: (deps: RoleDeps, tx: Tx, caller: Caller, id: string) => Promise<WorkflowRow>
  pause: (tx: Tx, caller: Caller, id: string) => Promise<WorkflowRow>
  texts: { create: string; activate: string; pause: string; example: Record<string, unknown> }
  /** Further errors of updating and activating. */
  scopeErrors: readonly ProblemKind[]
}

const can = (what: string) => ({ scopes: [`journey:${what}`], roles: everyone })

function listBody(name: string, schema: TSchema) {
  return object({
    [name]: Type.Array(schema),
    nextPageToken,
    totalSize: Type.Integer(),
  })
}

export function workflowRoutes(api: WorkflowApi): Route[] {
  return [
    ...collectionRoutes(api),
    ...itemRoutes(api),
    ...lifecycleRoutes(api),
    ...versionRoutes(api),
    ...comparisonRoutes(api),
    duplicateRoute(api),
    simulationRoute(api),
  ]
}

function collectionRoutes(api: WorkflowApi): Route[] {
  const { kind, noun, schemas, toApi, texts } = api
  const route = section(`${noun}s`)
  const path = `/${kind}s` as const
  return [
    route(`GET ${path}`, {
      operationId: `list${noun}s`,
      summary: `List ${kind}s`,
      description: `Newest first, with the number of all ${kind}s.`,
      access: can('list'),
      page: tokenPage,
      success: { status: 200, body: listBody(`${kind}s`, schemas.workflow) },
      handle: async ({ db, caller, page }) => {
        const { rows, ...rest } = await listWorkflowPage(db, caller.tenantId, kind, page)
        return { [`${kind}s`]: rows.map(toApi), ...rest }
      },
    }),
    route(`POST ${path}`, {
      operationId: `create${noun}`,
      summary: `Create a ${kind} as a draft`,
      description: texts.create,
      example: texts.example,
      access: can('create'),
      body: schemas.create,
      success: { status: 201, body: schemas.workflow, etag: true },
      handle: ({ write, caller, body }) => write(tx => api.create(tx, caller, body as never)),
    }),
  ]
}

function itemRoutes(api: WorkflowApi): Route[] {
  const { kind, noun, schemas, toApi, campaignExists } = api
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  const path = `/${kind}s/{id}` as const
  return [
    route(`GET ${path}`, {
      operationId: `get${noun}`,
      summary: `Get a ${kind}`,
      description: '`missing` lists deleted tags, fields and segments that it references.',
      access: can('read'),
      success: { status: 200, body: schemas.workflow, etag: true },
      errors: [problems.notFound],
      handle: async context => {
        const row = await getWorkflow(context.db, context.caller.tenantId, kind, context.params.id)
        return {
          ...(toApi(row) as object),
          missing: await findBrokenReferences(context, row, campaignExists),
        }
      },
    }),
    route(`PATCH ${path}`, {
      operationId: `update${noun}`,
      summary: `Update the draft of a ${kind}; published versions do not change`,
      description: 'Publish it again to apply the change to new runs.',
      example: { name: 'Welcome back' },
      access: can('update'),
      body: schemas.update,
      success: { status: 200, body: schemas.workflow, etag: true },
      errors: [problems.notFound, ...api.scopeErrors],
      concurrency: 'optional',
      handle: ({ write, caller, params, body, ifMatch }) =>
        write(tx => api.update(tx, caller, { id: params.id, ifMatch }, body as never)),
    }),
    route(`DELETE ${path}`, {
      operationId: `delete${noun}`,
      summary: `Delete a ${kind} that is not active`,
      description: 'Pause it first. Runs in progress end.',
      access: can('delete'),
      success: { status: 204 },
      errors: [problems.notFound, problems.active],
      concurrency: 'optional',
      handle: ({ write, caller, params, ifMatch }) =>
        write(tx => api.remove(tx, caller, { id: params.id, ifMatch })),
    }),
  ]
}

function duplicateRoute({ kind, noun, schemas, create }: WorkflowApi): Route {
  const route = section(`${noun}s`)
  return route(`POST /${kind}s/{id}/duplicate`, {
    operationId: `duplicate${noun}`,
    summary: `Create a ${kind} with the draft of this one`,
    description: `The name defaults to that of the ${kind}. Versions and runs are not copied.`,
    example: { name: 'Welcome again' },
    access: { scopes: ['journey:read', 'journey:create'], roles: everyone },
    extension: true,
    body: object({ name: Type.Optional(Name) }),
    bodyOptional: true,
    success: { status: 201, body: schemas.workflow },
    errors: [workflowProblems[kind].notFound],
    handle: ({ write, caller, params, body }) =>
      write(async tx => {
        const { name, definition, teamIds } = await getWorkflow(tx, caller.tenantId, kind, params.id)
        const copy = { name: body?.name ?? `${name.slice(0, 90)} (copy)` }
        const draft = kind === 'journey' ? { ...copy, definition } : { ...copy, draft: definition, teamIds }
        return create(tx, caller, draft as never)
      }),
  })
}

function lifecycleRoutes(api: WorkflowApi): Route[] {
  const { kind, noun, schemas, toApi, versionToApi, texts, campaignExists } = api
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  const path = `/${kind}s/{id}` as const
  return [
    route(`POST ${path}/publish`, {
      operationId: `publish${noun}`,
      summary: 'Validate the draft and create an immutable version of it',
      description: 'All problems of the draft are reported as violations with their paths.',
      access: can('publish'),
      concurrency: 'optional',
      success: { status: 200, body: schemas.version },
      errors: [problems.notFound, problems.changed, RightsMissing, ...api.scopeErrors],
      handle: async context => {
        const { caller, params } = context
        const draft = await getWorkflow(context.db, caller.tenantId, kind, params.id)
        context.ifMatch.check(draft.revision)
        await checkPublishable(context, draft, campaignExists, caller)
        const version = versionToApi(
          await context.write(tx => publishWorkflow(context, tx, caller, draft)),
        ) as object
        return { ...version, warnings: findWarnings(kind, draft.definition) }
      },
    }),
    route(`POST ${path}/activate`, {
      operationId: `activate${noun}`,
      summary: texts.activate,
      description: 'Needs a published version.',
      access: can('activate'),
      success: { status: 200, body: schemas.workflow, etag: true },
      errors: [
        problems.notFound,
        problems.notPublished,
        problems.active,
        problems.rightsLost,
        ...api.scopeErrors,
      ],
      handle: async context => {
        const { caller, params } = context
        const row = await getWorkflow(context.db, caller.tenantId, kind, params.id)
        await checkActivatable(context, row, campaignExists)
        return context.write(async tx => toApi(await api.activate(context, tx, caller, params.id)))
      },
    }),
    route(`POST ${path}/pause`, {
      operationId: `pause${noun}`,
      summary: texts.pause,
      description: 'Activate it again to continue.',
      access: can('activate'),
      success: { status: 200, body: schemas.workflow, etag: true },
      errors: [problems.notFound, problems.notActive],
      handle: ({ write, caller, params }) => write(async tx => toApi(await api.pause(tx, caller, params.id))),
    }),
  ]
}

function versionRoutes(api: WorkflowApi): Route[] {
  const { kind, noun, schemas, versionPath, versionToApi } = api
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  return [
    route(`GET /${kind}s/{id}/versions`, {
      operationId: `list${noun}Versions`,
      summary: `List the versions of a ${kind}, newest first`,
      description: 'Each version contains its definition.',
      access: can('read'),
      page: tokenPage,
      success: { status: 200, body: listBody(`${kind}Versions`, schemas.version) },
      errors: [problems.notFound],
      handle: async ({ db, caller, params, page }) => {
        const { rows, ...rest } = await listVersionPage(db, caller.tenantId, kind, params.id, page)
        return { [`${kind}Versions`]: rows.map(versionToApi), ...rest }
      },
    }),
    route(`GET ${versionPath}`, {
      operationId: `get${noun}Version`,
      summary: `Get a version of a ${kind}`,
      description: 'Versions do not change.',
      access: can('read'),
      success: { status: 200, body: schemas.version },
      errors: [problems.versionNotFound],
      handle: async ({ db, caller, params }) => {
        const { id, versionId }: { id?: string; versionId: string } = params
        return versionToApi(await getVersion(db, caller.tenantId, kind, versionId, id))
      },
    }),
  ]
}

function comparisonRoutes({ kind, noun, schemas, toApi }: WorkflowApi): Route[] {
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  const path = `/${kind}s/{id}/versions` as const
  return [
    route(`GET ${path}/{a}/diff/{b}`, {
      operationId: `compare${noun}Versions`,
      summary: `Compare two versions of a ${kind}`,
      description: 'Lists the nodes and edges that were added, removed and changed from `a` to `b`.',
      access: can('read'),
      extension: true,
      success: { status: 200, body: WorkflowDiff },
      errors: [problems.notFound, problems.versionNotFound],
      handle: async ({ db, caller, params }) => {
        const { id } = await getWorkflow(db, caller.tenantId, kind, params.id)
        const load = (versionId: string) => getVersion(db, caller.tenantId, kind, versionId, id)
        return buildDiff(await load(params.a), await load(params.b))
      },
    }),
    route(`POST ${path}/{versionId}/restore`, {
      operationId: `restore${noun}Version`,
      summary: 'Replace the draft with a version',
      description: 'Publish the draft to make it current.',
      access: can('update'),
      extension: true,
      success: { status: 200, body: schemas.workflow, etag: true },
      errors: [problems.notFound, problems.versionNotFound],
      concurrency: 'optional',
      handle: ({ write, caller, params: { id, versionId }, ifMatch }) =>
        write(async tx => toApi(await restoreVersion(tx, caller, kind, { id, ifMatch }, versionId))),
    }),
  ]
}

function simulationRoute({ kind, noun, campaignExists }: WorkflowApi): Route {
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  return route(`POST /${kind}s/{id}/simulate`, {
    operationId: `simulate${noun}`,
    summary: `Simulate a run of a ${kind} with a simulated clock; nothing is sent or stored`,
    description: 'Uses the engine of real runs. Waits pass immediately, and the steps are returned.',
    example: { contact: { name: 'Ada' } },
    access: {
      ...can('read'),
      bodyScopes: body => (body.contactId === undefined ? [] : ['contact:read']),
      conditionalScopes: [{ when: 'contactId is set', scope: 'contact:read' }],
    },
    extension: true,
    body: SimulationRequest,
    bodyOptional: true,
    success: { status: 200, body: Simulation },
    errors: [
      problems.notFound,
      problems.notPublished,
      problems.rightsLost,
      RightsMissing,
      ContactNotFound,
      ContactPhoneTaken,
    ],
    handle: async context => {
      const { db, write, caller, params, body } = context
      const workflow = await getWorkflow(db, caller.tenantId, kind, params.id)
      if (body.version === 'published') await checkPublisher(context, db, workflow)
      else await checkPublishable(context, workflow, campaignExists, caller)
      const result = await simulate(context, caller, workflow, body)
      // A simulation with a real contact shows its data.
      if (body.contactId !== undefined)
        await write(tx =>
          recordAudit(tx, caller, `${kind}.simulated`, workflow.id, { contactId: body.contactId }),
        )
      return result
    },
  })
}
