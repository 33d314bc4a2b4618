/** Builds the OpenAPI 3.1 document from the routes. */
import type { TSchema } from 'typebox'
import type { Route } from '../route.ts'
import { buildOperation, toCamelCase } from './operation.ts'
import type { RequestDocs } from './parameters.ts'
import { problemSchema } from './problem-responses.ts'
import { type Json, toReference } from './schema-references.ts'

export interface OpenApi {
  openapi: '3.1.0'
  info: Json
  servers: Json[]
  tags: Json[]
  paths: Record<string, Record<string, Json>>
  webhooks: Record<string, Json>
  components: { securitySchemes: Json; schemas: Record<string, unknown>; responses: Json }
}

/** The request to a webhook endpoint for one type of event. */
export interface WebhookPayload {
  type: string
  summary: string
  body: TSchema
}

export interface ApiDocs extends RequestDocs {
  tags?: Readonly<Record<string, string>>
  webhooks?: readonly WebhookPayload[]
}

export function buildOpenApi(routes: readonly Route[], docs: ApiDocs): OpenApi {
  const { tags = {}, webhooks = [] } = docs
  const schemas: Record<string, unknown> = { Problem: problemSchema }
  const responses: Record<string, unknown> = {}
  const paths: OpenApi['paths'] = {}
  const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = buildOperation(route, {
      schemas,
      responses,
      readable,
      docs,
    })
  }
  const payloads = webhooks.map(webhook => [webhook.type, { post: buildWebhook(webhook, schemas) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1.0.0',
      description:
        'Customer messaging: inboxes, conversations, contacts, campaigns, journeys and chatbots.\n\nTo try an operation here: press **Authorize**, paste an API key (the first start writes one to `credentials.json` in the data directory) or an access token, open the operation and press **Execute**. Bodies are filled with examples, and parameters and bodies with ids of your workspace. Ids stay empty, or those of the example, while the workspace has no such resource: create one first. They are not filled in where an operation deletes, replaces a secret or writes to many contacts.',
      contact: { name: 'Parley' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/v1' }],
    tags: [...new Set(routes.map(route => route.tag))].map(name => ({
      name,
      description: tags[name],
    })),
    paths,
    webhooks: Object.fromEntries(payloads),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, an API key (pk_…), or a token of the configured identity provider.',
        },
        visitorToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of a visitor of a website (wct_…), from `POST /widget/{inboxKey}/sessions`.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-parley',
          description:
            'The cookie of `POST /auth/sessions`, for pages of this service only. Named `parley` where the service is reached over plain HTTP.',
        },
        standardWebhooks: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description:
            'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with the decoded signing key; one signature per valid key, separated by spaces.',
        },
      },
      schemas: sortByName(schemas),
      responses: sortByName(responses),
    },
  }
}

function sortByName(components: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function buildWebhook({ type, summary, body }: WebhookPayload, schemas: Json): Json {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: true,
    schema,
    description,
  })
  return {
    operationId: toCamelCase(['on', ...type.split('.')]),
    tags: ['Webhooks'],
    summary,
    security: [{ standardWebhooks: [] }],
    parameters: [
      header('webhook-id', 'Id of the event, the same in every attempt.'),
      header('webhook-timestamp', 'Unix seconds of the attempt.', { type: 'integer' }),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: toReference(body, schemas) } },
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      default: { description: 'The delivery is attempted again.' },
    },
  }
}
