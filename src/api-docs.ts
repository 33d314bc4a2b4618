/** Documents the API beyond its routes. */
import { apiOperations } from './api-operations/operations.ts'
import { apiTags } from './api-tags.ts'
import { apiWebhooks } from './api-webhooks.ts'
import type { ApiDocs } from './platform/http/openapi/openapi.ts'

export const apiDocs: ApiDocs = { operations: apiOperations, tags: apiTags, webhooks: apiWebhooks }
