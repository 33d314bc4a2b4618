import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { reorderChatbots } from '../chatbots/bot-order.ts'
import {
  activateChatbot,
  chatbotToApi,
  chatbotVersionToApi,
  createChatbot,
  deleteChatbot,
  mergeChatbotDraft,
  pauseChatbot,
  updateChatbot,
} from '../chatbots/chatbots.ts'
import type { CampaignExists } from '../definition/references.ts'
import { ChatbotScopeTaken } from '../errors.ts'
import { Chatbot, ChatbotDraft, ChatbotPatch, ChatbotVersion, ListedChatbot, NewChatbot } from '../schemas.ts'
import { workflowRoutes } from './workflow-routes.ts'

const reorderRoute = section('Chatbots', { extension: true })('PUT /chatbots/order', {
  operationId: 'orderChatbots',
  summary:
    'Set the order in which chatbots are tried; bots that are not listed follow in their current order',
  description: 'The first bot of a team whose trigger matches takes a new session.',
  example: { chatbotIds: ['bot_01k4xq7d9hfk3b0m6a7yz2c5rn'] },
  access: { scopes: ['journey:activate'], roles: everyone },
  body: object({ chatbotIds: Type.Array(AnyId, { minItems: 1, maxItems: 1_000, uniqueItems: true }) }),
  success: { status: 200, body: object({ chatbotIds: Type.Array(AnyId) }) },
  errors: [ChatbotScopeTaken],
  handle: ({ write, caller, body }) =>
    write(async tx => ({ chatbotIds: await reorderChatbots(tx, caller, body.chatbotIds) })),
})

export const chatbotRoutes = (campaignExists: CampaignExists) => [
  reorderRoute,
  ...workflowRoutes({
    campaignExists,
    kind: 'chatbot',
    noun: 'Chatbot',
    schemas: {
      workflow: Chatbot,
      listed: ListedChatbot,
      version: ChatbotVersion,
      create: NewChatbot,
      update: ChatbotPatch,
      draft: ChatbotDraft,
    },
    versionPath: '/chatbots/{id}/versions/{versionId}',
    toApi: chatbotToApi,
    versionToApi: chatbotVersionToApi,
    create: createChatbot,
    update: updateChatbot,
    mergeDraft: mergeChatbotDraft,
    remove: deleteChatbot,
    activate: activateChatbot,
    pause: pauseChatbot,
    texts: {
      create: 'The draft is validated when it is published.',
      activate: 'Let the bot reply in new conversations of its teams',
      pause: 'Take no new conversations; runs in progress continue',
      example: {
        name: 'Welcome',
        draft: { nodes: [{ id: 'start', type: 'start', data: {} }], edges: [] },
        teamIds: [],
      },
    },
    scopeErrors: [ChatbotScopeTaken],
  }),
]
