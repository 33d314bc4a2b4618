/** The routes that simulate a workflow, and those of its cases: simulations with the result that is expected. */
import Type from 'typebox'
import { ContactNotFound, ContactPhoneTaken } from '../../contacts/errors.ts'
import { recordAudit } from '../../identity/audit.ts'
import { type Route, section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { checkPublishable } from '../definition/validation.ts'
import { RightsMissing, workflowProblems } from '../errors.ts'
import { checkPublisher } from '../publisher-rights.ts'
import { ExpectedRevision } from '../schemas.ts'
import { maxCases, Simulation, SimulationRequest, WorkflowCase } from '../simulation/schemas.ts'
import { simulate } from '../simulation/simulation.ts'
import { readCases, writeCases } from '../store/workflows.ts'
import { checkRevision, getWorkflow, getWorkflowForUpdate } from '../workflows.ts'
import { can, type WorkflowApi } from './workflow-api.ts'

export function simulationRoutes(api: WorkflowApi): Route[] {
  return [simulationRoute(api), ...caseRoutes(api)]
}

function simulationRoute({ kind, noun, schemas, mergeDraft, campaignExists }: WorkflowApi): Route {
  const route = section(`${noun}s`)
  const problems = workflowProblems[kind]
  return route(`POST /${kind}s/{id}/simulate`, {
    operationId: `simulate${noun}`,
    summary: `Simulate a run of a ${kind} with a simulated clock; nothing is sent or stored`,
    description:
      'Uses the engine of real runs. Waits pass immediately, and the steps are returned. Members of the draft in the body replace those of the stored draft.',
    example: { contact: { name: 'Ada' } },
    access: {
      ...can('read'),
      bodyScopes: body => (body.contactId === undefined ? [] : ['contact:read']),
      conditionalScopes: [{ when: 'contactId is set', scope: 'contact:read' }],
    },
    extension: true,
    body: object({ ...SimulationRequest.properties, ...schemas.draft.properties }),
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
      const { db, write, caller, params } = context
      const body = context.body as SimulationRequest
      const stored = await getWorkflow(db, caller.tenantId, kind, params.id)
      const workflow = { ...stored, definition: mergeDraft(body as never, stored.definition) }
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

function caseRoutes({ kind, noun }: WorkflowApi): Route[] {
  const route = section(`${noun}s`)
  const path = `/${kind}s/{id}/cases` as const
  const cases = Type.Array(WorkflowCase, { maxItems: maxCases })
  const errors = [workflowProblems[kind].notFound]
  const success = { status: 200, body: object({ cases, revision: Type.Integer() }), etag: true } as const
  return [
    route(`GET ${path}`, {
      operationId: `list${noun}Cases`,
      summary: `List the cases of a ${kind}`,
      description:
        'Each case is the request of a simulation with the path and effects that are expected. The `ETag` is that of the cases.',
      access: can('read'),
      extension: true,
      success,
      errors,
      handle: async ({ db, caller, params }) => {
        const { id } = await getWorkflow(db, caller.tenantId, kind, params.id)
        return readCases(db, caller.tenantId, id)
      },
    }),
    route(`PUT ${path}`, {
      operationId: `set${noun}Cases`,
      summary: `Replace the cases of a ${kind}`,
      description:
        'The service stores cases and does not run them; clients simulate them before publishing. `If-Match` names the `ETag` of the cases.',
      example: {
        cases: [
          {
            id: 'greeting',
            name: 'Says hello',
            request: { message: 'Hello' },
            expected: {
              entered: true,
              endReason: 'end_of_path',
              path: [{ nodeId: 'start', output: 'next' }],
              effects: [],
            },
          },
        ],
      },
      access: can('update'),
      extension: true,
      body: object({ cases, revision: ExpectedRevision }),
      concurrency: 'optional',
      success,
      errors,
      handle: ({ write, caller, params, body, ifMatch }) =>
        write(async tx => {
          const { id } = await getWorkflowForUpdate(tx, caller.tenantId, kind, params.id)
          const stored = await readCases(tx, caller.tenantId, id)
          ifMatch.check(stored.revision)
          checkRevision(stored, body.revision)
          return { cases: body.cases, revision: await writeCases(tx, caller.tenantId, id, body.cases) }
        }),
    }),
  ]
}
