/** The routes of the published versions of a workflow: list, get, compare, restore. */
import { tokenPage } from '../../platform/http/page.ts'
import { type Route, section } from '../../platform/http/route.ts'
import { buildDiff, WorkflowDiff } from '../definition/diff.ts'
import { workflowProblems } from '../errors.ts'
import { getVersion, getWorkflow, listVersionPage, restoreVersion } from '../workflows.ts'
import { can, listBody, type WorkflowApi } from './workflow-api.ts'

export function versionRoutes(api: WorkflowApi): Route[] {
  return [...readRoutes(api), ...comparisonRoutes(api)]
}

function readRoutes(api: WorkflowApi): Route[] {
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
      description:
        'Lists the nodes and edges that were added, removed and changed from `a` to `b`. `draft` as `b` is the draft.',
      access: can('read'),
      extension: true,
      success: { status: 200, body: WorkflowDiff },
      errors: [problems.notFound, problems.versionNotFound],
      handle: async ({ db, caller, params }) => {
        const { id, definition } = await getWorkflow(db, caller.tenantId, kind, params.id)
        const load = (versionId: string) => getVersion(db, caller.tenantId, kind, versionId, id)
        const isDraft = params.b === 'draft'
        return buildDiff(await load(params.a), isDraft ? { id: 'draft', definition } : await load(params.b))
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
