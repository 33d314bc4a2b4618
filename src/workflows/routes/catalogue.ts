import { route } from '../../platform/http/route.ts'
import { getCatalogue, WorkflowCatalogue } from '../catalogue.ts'

export const workflowCatalogueRoutes = [
  route({
    method: 'GET',
    path: '/workflow-nodes',
    tag: 'Workflows',
    summary: 'List all nodes and triggers of journeys and chatbots',
    access: { scopes: ['journey:read'], roles: ['owner', 'admin', 'agent'] },
    extension: true,
    success: { status: 200, body: WorkflowCatalogue },
    handle: async () => getCatalogue(),
  }),
]
