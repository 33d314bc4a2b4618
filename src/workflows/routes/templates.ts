/** Lists the templates, and creates journeys and chatbots from them. */
import Type from 'typebox'
import { CustomFieldNameTaken, TagNameTaken } from '../../contacts/errors.ts'
import { everyone } from '../../identity/rights/roles.ts'
import { type Route, section } from '../../platform/http/route.ts'
import { literals, object } from '../../platform/http/schemas.ts'
import { getCreateScopes, listTemplates, prepareDraft } from '../templates/create-from-template.ts'
import { NewFromTemplate, TemplateLocale, WorkflowTemplate } from '../templates/schemas.ts'
import { can, type WorkflowApi } from './workflow-api.ts'

export const templateListRoute = section('Workflows', { extension: true })('GET /workflow-templates', {
  operationId: 'listWorkflowTemplates',
  summary: 'List the templates that journeys and chatbots can be created from',
  description: 'Each has parameters for what a workspace must have, and a conversation as a preview.',
  access: can('list'),
  query: object({
    kind: Type.Optional(literals(['journey', 'chatbot'])),
    locale: Type.Optional(TemplateLocale),
  }),
  success: { status: 200, body: object({ templates: Type.Array(WorkflowTemplate) }) },
  handle: async ({ db, caller, query }) => ({ templates: await listTemplates(db, caller.tenantId, query) }),
})

export function fromTemplateRoute({ kind, noun, schemas, create, campaignExists }: WorkflowApi): Route {
  const example =
    kind === 'journey'
      ? { templateId: 'welcome', parameters: { company: 'Harbor Lights' } }
      : { templateId: 'lead_capture', parameters: { tag: { create: 'Lead' }, field: { create: 'Interest' } } }
  return section(`${noun}s`)(`POST /${kind}s/from-template`, {
    operationId: `create${noun}FromTemplate`,
    summary: `Create a ${kind} from a template, as a draft`,
    description:
      'A parameter is the id of a resource, a text, or `{"create": "name"}` for a new tag, field or segment. A new segment needs `segment:create`. The draft can be published as it is. See GET /workflow-templates.',
    example,
    access: {
      scopes: ['journey:create'],
      roles: everyone,
      bodyScopes: body => getCreateScopes(body as NewFromTemplate),
      // A scope that is listed here belongs to all roles of the operation, and agents do not create segments.
      conditionalScopes: [
        { when: 'a tag is created', scope: 'tag:create' },
        { when: 'a field is created', scope: 'custom_field:create' },
      ],
    },
    extension: true,
    body: NewFromTemplate,
    success: { status: 201, body: schemas.workflow, etag: true },
    errors: [TagNameTaken, CustomFieldNameTaken],
    handle: async context => {
      const { caller, body, write } = context
      const { name, build } = await prepareDraft(context, caller, kind, body, campaignExists)
      return write(async tx => {
        const definition = await build(tx)
        const draft = kind === 'journey' ? { name, definition } : { name, draft: definition }
        return create(tx, caller, draft as never)
      })
    },
  })
}
