import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { getCatalogue, WorkflowCatalogue } from '../catalogue.ts'

const route = section('Workflows', { extension: true })

export const workflowCatalogueRoutes = [
  route('GET /workflow-nodes', {
    operationId: 'listWorkflowNodes',
    summary: 'List all nodes and triggers of journeys and chatbots',
    description: 'Describes their data, outputs and limits, for editors.',
    access: { scopes: ['journey:read'], roles: everyone },
    success: { status: 200, body: WorkflowCatalogue },
    handle: async () => getCatalogue(),
  }),
]
