import Type from 'typebox'
import { route } from '../../platform/http/route.ts'
import { literals, named, object } from '../../platform/http/schemas.ts'
import { getCatalogue } from '../catalogue.ts'

const JsonSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A JSON Schema; references point into `schemas` of this response',
})

const described = {
  type: Type.String(),
  kinds: Type.Array(literals(['journey', 'chatbot'])),
  summary: Type.String(),
  docs: Type.String({ description: 'Markdown' }),
}

const WorkflowCatalogue = named(
  'WorkflowCatalogue',
  object({
    nodes: Type.Array(
      object({
        ...described,
        data: JsonSchema,
        example: Type.Record(Type.String(), Type.Unknown(), { description: 'Valid data' }),
        outputs: Type.Array(object({ name: Type.String(), summary: Type.String() }), {
          description: 'Outputs of the example. An edge without sourceHandle leaves by the first.',
        }),
        outputsFollowData: Type.Boolean({ description: 'The outputs depend on the data' }),
      }),
    ),
    triggers: Type.Array(object({ ...described, config: JsonSchema })),
    schemas: Type.Record(Type.String(), JsonSchema),
  }),
)

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
