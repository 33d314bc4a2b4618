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

export const chatbotRoutes = (campaignExists: CampaignExists) =>
  workflowRoutes({
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
  })
