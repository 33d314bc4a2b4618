/** Documents the API beyond its routes. */
import { apiTags } from './api-tags.ts'
import { apiWebhooks } from './api-webhooks.ts'
import type { ApiDocs } from './platform/http/openapi/openapi.ts'

export const apiDocs: ApiDocs = { tags: apiTags, webhooks: apiWebhooks }
