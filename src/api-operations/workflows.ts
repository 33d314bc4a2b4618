/** Journeys, chatbots and runs: the name of each operation, what its route does not say, and an example of its body. */
import type { OperationDocs } from '../platform/http/openapi/openapi.ts'

export const workflowsOperations: OperationDocs = {
  'GET /journeys': {
    operationId: 'listJourneys',
    description: 'Newest first, with the number of all journeys.',
  },
  'POST /journeys': {
    operationId: 'createJourney',
    example: {
      name: 'Welcome',
      definition: {
        nodes: [
          {
            id: 'start',
            type: 'start',
            data: { triggerConfig: { type: 'contact_created' }, entryMode: 'once' },
          },
        ],
        edges: [],
      },
    },
  },
  'GET /journeys/{id}': {
    operationId: 'getJourney',
    description: '`missing` lists deleted tags, fields and segments that it references.',
  },
  'PATCH /journeys/{id}': {
    operationId: 'updateJourney',
    description: 'Publish it again to apply the change to new runs.',
    example: { name: 'Welcome back' },
  },
  'DELETE /journeys/{id}': {
    operationId: 'deleteJourney',
    description: 'Pause it first. Runs in progress end.',
  },
  'POST /journeys/{id}/publish': {
    operationId: 'publishJourney',
    description: 'All problems of the draft are reported as violations with their paths.',
  },
  'POST /journeys/{id}/activate': {
    operationId: 'activateJourney',
    description: 'Needs a published version.',
  },
  'POST /journeys/{id}/pause': { operationId: 'pauseJourney', description: 'Activate it again to continue.' },
  'GET /journeys/{id}/versions': {
    operationId: 'listJourneyVersions',
    description: 'Each version contains its definition.',
  },
  'GET /journeys/versions/{versionId}': {
    operationId: 'getJourneyVersion',
    description: 'Versions do not change.',
  },
  'GET /journeys/{id}/versions/{a}/diff/{b}': {
    operationId: 'compareJourneyVersions',
    description: 'Lists the nodes and edges that were added, removed and changed from `a` to `b`.',
  },
  'POST /journeys/{id}/versions/{versionId}/restore': {
    operationId: 'restoreJourneyVersion',
    description: 'Publish the draft to make it current.',
  },
  'POST /journeys/{id}/simulate': {
    operationId: 'simulateJourney',
    description: 'Uses the engine of real runs. Waits pass immediately, and the steps are returned.',
    example: { contact: { name: 'Ada' } },
  },
  'GET /chatbots': {
    operationId: 'listChatbots',
    description: 'Newest first, with the number of all chatbots.',
  },
  'POST /chatbots': {
    operationId: 'createChatbot',
    description: 'The draft is validated when it is published.',
    example: {
      name: 'Welcome',
      draft: { nodes: [{ id: 'start', type: 'start', data: {} }], edges: [] },
      teamIds: [],
    },
  },
  'GET /chatbots/{id}': {
    operationId: 'getChatbot',
    description: '`missing` lists deleted tags, fields and segments that it references.',
  },
  'PATCH /chatbots/{id}': {
    operationId: 'updateChatbot',
    description: 'Publish it again to apply the change to new runs.',
    example: { name: 'Welcome back' },
  },
  'DELETE /chatbots/{id}': {
    operationId: 'deleteChatbot',
    description: 'Pause it first. Runs in progress end.',
  },
  'POST /chatbots/{id}/publish': {
    operationId: 'publishChatbot',
    description: 'All problems of the draft are reported as violations with their paths.',
  },
  'POST /chatbots/{id}/activate': {
    operationId: 'activateChatbot',
    description: 'Needs a published version.',
  },
  'POST /chatbots/{id}/pause': { operationId: 'pauseChatbot', description: 'Activate it again to continue.' },
  'GET /chatbots/{id}/versions': {
    operationId: 'listChatbotVersions',
    description: 'Each version contains its definition.',
  },
  'GET /chatbots/{id}/versions/{versionId}': {
    operationId: 'getChatbotVersion',
    description: 'Versions do not change.',
  },
  'GET /chatbots/{id}/versions/{a}/diff/{b}': {
    operationId: 'compareChatbotVersions',
    description: 'Lists the nodes and edges that were added, removed and changed from `a` to `b`.',
  },
  'POST /chatbots/{id}/versions/{versionId}/restore': {
    operationId: 'restoreChatbotVersion',
    description: 'Publish the draft to make it current.',
  },
  'POST /chatbots/{id}/simulate': {
    operationId: 'simulateChatbot',
    description: 'Uses the engine of real runs. Waits pass immediately, and the steps are returned.',
    example: { contact: { name: 'Ada' } },
  },
  'GET /journeys/{id}/runs': { operationId: 'listJourneyRuns', description: 'Filtered by status.' },
  'POST /journeys/{id}/runs': {
    operationId: 'startJourneyRun',
    description: 'Ignores the trigger, and respects the entry mode.',
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re', data: { source: 'web' } },
  },
  'GET /journeys/{id}/contacts/{contactId}/explain': {
    operationId: 'explainJourneyEntry',
    description: 'Shows each rule of the entry with its result for the contact.',
  },
  'GET /runs/{id}': { operationId: 'getRun', description: 'Shows the steps with their outputs and times.' },
  'POST /runs/{id}/cancel': { operationId: 'cancelRun', description: 'Ends the run at its current node.' },
  'POST /runs/{id}/retry': { operationId: 'retryRun', description: 'Continues at the node that failed.' },
  'POST /events': {
    operationId: 'sendEvent',
    description: 'Starts journeys whose trigger names the event, and resumes runs that wait for it.',
    example: {
      name: 'cart.updated',
      contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re',
      key: 'cart-42',
      data: { items: 3 },
    },
  },
  'PUT /chatbots/order': {
    operationId: 'orderChatbots',
    description: 'The first bot of a team whose trigger matches takes a new session.',
    example: { chatbotIds: ['bot_01k4xq7d9hfk3b0m6a7yz2c5rn'] },
  },
  'GET /workflow-nodes': {
    operationId: 'listWorkflowNodes',
    description: 'Describes their data, outputs and limits, for editors.',
  },
  'GET /secrets': { operationId: 'listSecrets', description: 'Values are never returned.' },
  'PUT /secrets/{name}': { operationId: 'setSecret', example: { value: 'key-of-your-service' } },
  'DELETE /secrets/{name}': { operationId: 'deleteSecret' },
  'POST /journeys/{id}/duplicate': {
    operationId: 'duplicateJourney',
    description: 'The name defaults to that of the journey. Versions and runs are not copied.',
    example: { name: 'Welcome again' },
  },
  'POST /chatbots/{id}/duplicate': {
    operationId: 'duplicateChatbot',
    description: 'The name defaults to that of the chatbot. Versions and runs are not copied.',
    example: { name: 'Welcome again' },
  },
  'GET /chatbots/{id}/runs': { operationId: 'listChatbotRuns', description: 'Filtered by status.' },
  'GET /runs': { operationId: 'listRuns', description: 'Filtered by contact, status and workflow.' },
  'POST /runs/cancel': {
    operationId: 'cancelRuns',
    description: 'Repeat the request until it cancels none. At least one of the members is required.',
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
  },
  'GET /journeys/{id}/analytics': {
    operationId: 'getJourneyAnalytics',
    description: 'Counts of all versions of the journey.',
  },
  'POST /journeys/{id}/enroll': {
    operationId: 'enrollSegment',
    example: { segmentId: 'seg_01k4xq7d9hfk3b0m6a7yz2c5rk' },
  },
}
