/** Documents the API beyond its routes. */

import { workflowsOperations } from './api-operations/workflows.ts'
import { apiTags } from './api-tags.ts'
import { apiWebhooks } from './api-webhooks.ts'
import { routes } from './app.ts'
import type { ApiDocs, OperationDocs } from './platform/http/openapi/openapi.ts'
import { type Route, toOperation } from './platform/http/route.ts'
import type { DocumentedRoute } from './platform/section.ts'

const isDocumented = (route: Route): route is DocumentedRoute => 'doc' in route

const operations: OperationDocs = {
  ...workflowsOperations,
  ...Object.fromEntries(routes.filter(isDocumented).map(route => [toOperation(route), route.doc])),
}

export const apiDocs: ApiDocs = { operations, tags: apiTags, webhooks: apiWebhooks }
