import Type from 'typebox'
import { route } from '../../platform/http/route.ts'
import { literals, named, object } from '../../platform/http/schemas.ts'
import { getCatalogue } from '../catalogue.ts'

const JsonSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A JSON Schema; references are into `schemas` of this answer',
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
        example: Type.Record(Type.String(), Type.Unknown(), { description: 'Data that can be published' }),
        outputs: Type.Array(object({ name: Type.String(), summary: Type.String() }), {
          description: 'Of the example. An edge without sourceHandle leaves by the first.',
        }),
        outputsFollowData: Type.Boolean({ description: 'The data decides which outputs there are' }),
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
    summary: 'What journeys and chatbots are built from: every node and trigger',
    access: { scopes: ['journey:read'], roles: ['owner', 'admin', 'agent'] },
    extension: true,
    success: { status: 200, body: WorkflowCatalogue },
    handle: async () => getCatalogue(),
  }),
]
