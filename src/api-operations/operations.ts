/** Documents every operation of the API; a route without an entry is an error of `npm run generate`. */
import { campaignsOperations } from './campaigns.ts'
import { contactsOperations } from './contacts.ts'
import { identityOperations } from './identity.ts'
import { messagingOperations } from './messaging.ts'
import { webhooksOperations } from './webhooks.ts'
import { workflowsOperations } from './workflows.ts'

export const apiOperations = {
  ...identityOperations,
  ...contactsOperations,
  ...messagingOperations,
  ...campaignsOperations,
  ...workflowsOperations,
  ...webhooksOperations,
}
