/** Builds the routes of a kind of workflow: journeys and chatbots differ in their schemas and a few operations. */
import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { tokenPage } from '../../platform/http/page.ts'
import { type Route, section } from '../../platform/http/route.ts'
import { literals, Name, object, visibleText } from '../../platform/http/schemas.ts'
import { checkActivatable, findBrokenReferences } from '../definition/broken-references.ts'
import { checkPublishable } from '../definition/validation.ts'
import { findWarnings } from '../definition/warnings.ts'
import { RightsMissing, workflowProblems } from '../errors.ts'
import { PublishRequest, WorkflowValidation, workflowStatuses } from '../schemas.ts'
import { getNodeStats, NodeStats, NodeStatsQuery } from '../statistics/node-stats.ts'
import { getTotals } from '../statistics/totals.ts'
import { validateDraft } from '../validate-draft.ts'
import { getWorkflow, listWorkflowPage, publishWorkflow } from '../workflows.ts'
import { simulationRoutes } from './simulation-routes.ts'
import { fromTemplateRoute } from './templates.ts'
import { versionRoutes } from './version-routes.ts'
import { can, listBody, type WorkflowApi } from './workflow-api.ts'

const SearchText = Type.Optional(
  visibleText(200, { description: 'Extension: part of the name, in upper or lower case' }),
)

const StatusFilter = Type.Optional(
  literals(workflowStatuses, { description: 'Extension: only with this status' }),
)

export function workflowRoutes(api: WorkflowApi): Route[] {
  return [
    ...collectionRoutes(api),
    ...itemRoutes(api),
    ...lifecycleRoutes(api),
    ...versionRoutes(api),
    duplicateRoute(api),
    fromTemplateRoute(api),
    validationRoute(api),
    statsRoute(api),
    ...simulationRoutes(api),
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
      description: `Newest first, with the number of all ${kind}s that match.`,
      access: can('list'),
      query: object({ search: SearchText, status: StatusFilter }),
      page: tokenPage,
      success: { status: 200, body: listBody(`${kind}s`, schemas.listed) },
      handle: async ({ db, caller, query, page }) => {
        const { rows, ...rest } = await listWorkflowPage(db, caller.tenantId, kind, query, page)
        const totals = await getTotals(db, caller.tenantId, rows)
        const items = rows.map(row => ({ ...(toApi(row) as object), ...totals(row) }))
        return { [`${kind}s`]: items, ...rest }
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
      description:
        'All problems of the draft are reported as violations with their paths. The `ETag` is that of the workflow.',
      example: { note: 'Greets customers by name' },
      access: can('publish'),
      body: PublishRequest,
      bodyOptional: true,
      concurrency: 'optional',
      success: { status: 200, body: schemas.version, etag: true },
      errors: [problems.notFound, problems.changed, RightsMissing, ...api.scopeErrors],
      handle: async context => {
        const { caller, params, ifMatch } = context
        const { note } = context.body ?? {}
        const draft = await getWorkflow(context.db, caller.tenantId, kind, params.id)
        ifMatch.check(draft.revision)
        await checkPublishable(context, draft, campaignExists, caller)
        return context.write(async tx => {
          const { version, revision } = await publishWorkflow(context, tx, caller, draft, { ifMatch, note })
          const warnings = findWarnings(kind, draft.definition)
          return { ...(versionToApi(version) as object), warnings, revision }
        })
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

function validationRoute({ kind, noun, schemas, mergeDraft, texts, campaignExists }: WorkflowApi): Route {
  const route = section(`${noun}s`)
  const { name: _, teamIds: __, ...example } = texts.example
  return route(`POST /${kind}s/{id}/validate`, {
    operationId: `validate${noun}`,
    summary: `Check whether the draft of a ${kind} could be published`,
    description:
      'Makes the checks of publishing with your rights, and changes nothing. Members of the body replace those of the stored draft.',
    example,
    access: can('read'),
    extension: true,
    body: schemas.draft,
    bodyOptional: true,
    success: { status: 200, body: WorkflowValidation },
    errors: [workflowProblems[kind].notFound],
    handle: async context => {
      const { db, caller, params, body } = context
      const row = await getWorkflow(db, caller.tenantId, kind, params.id)
      const definition = mergeDraft((body ?? {}) as never, row.definition)
      return validateDraft(context, caller, { ...row, definition }, campaignExists)
    },
  })
}

function statsRoute({ kind, noun }: WorkflowApi): Route {
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  return route(`GET /${kind}s/{id}/stats`, {
    operationId: `get${noun}Stats`,
    summary: `Count the runs at each node of a ${kind} in a range of days`,
    description: 'Counts of one version, or of all versions. The range has at most 92 days.',
    access: can('read'),
    extension: true,
    query: NodeStatsQuery,
    success: { status: 200, body: NodeStats },
    errors: [problems.notFound, problems.versionNotFound],
    handle: async ({ db, caller, params, query }) =>
      getNodeStats(db, await getWorkflow(db, caller.tenantId, kind, params.id), query),
  })
}
