import Type from 'typebox'
import { route } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { reorderChatbots } from '../bot-order.ts'
import {
  activateChatbot,
  chatbotToApi,
  chatbotVersionToApi,
  createChatbot,
  deleteChatbot,
  pauseChatbot,
  updateChatbot,
} from '../chatbots.ts'
import type { CampaignExists } from '../definition/references.ts'
import { ChatbotScopeTaken } from '../errors.ts'
import { Chatbot, ChatbotPatch, ChatbotVersion, NewChatbot } from '../schemas.ts'
import { workflowRoutes } from './workflow-routes.ts'

const reorderRoute = route({
  method: 'PUT',
  path: '/chatbots/order',
  tag: 'Chatbots',
  summary:
    'Set the order in which chatbots are tried; bots that are not listed follow in their current order',
  access: { scopes: ['journey:activate'], roles: ['owner', 'admin', 'agent'] },
  extension: true,
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
    tag: 'Chatbots',
    schemas: { workflow: Chatbot, version: ChatbotVersion, create: NewChatbot, update: ChatbotPatch },
    versionPath: '/chatbots/{id}/versions/{versionId}',
    toApi: chatbotToApi,
    versionToApi: chatbotVersionToApi,
    create: createChatbot,
    update: updateChatbot,
    remove: deleteChatbot,
    activate: activateChatbot,
    pause: pauseChatbot,
    texts: {
      activate: 'Let the bot reply in new conversations of its teams',
      pause: 'Take no new conversations; runs in progress continue',
    },
    scopeErrors: [ChatbotScopeTaken],
  }),
]
