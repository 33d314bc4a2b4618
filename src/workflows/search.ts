import { namedPart } from '../platform/contributions/search.ts'
import { listWorkflowNames } from './store/workflows.ts'

/** Contributes journeys and chatbots to the search over all kinds. */
export const workflowSearch = (['journey', 'chatbot'] as const).map(kind =>
  namedPart({
    kind,
    scope: 'journey:list',
    list: ({ db }, { tenantId }) => listWorkflowNames(db, tenantId, kind),
  }),
)
