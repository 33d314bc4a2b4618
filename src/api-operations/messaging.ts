/** Inboxes, conversations, messages, media and callbacks of providers: the name of each operation, what its route does not say, and an example of its body. */
import type { OperationDocs } from '../platform/http/openapi/openapi.ts'

export const messagingOperations: OperationDocs = {
  'GET /inboxes': {
    operationId: 'listInboxes',
    description: 'Shows the status of each inbox with the reasons why it is degraded.',
  },
  'POST /inboxes': {
    operationId: 'createInboxes',
    example: { chatapp: { resourceIds: ['5551'], phoneNumberIds: ['5550100'] } },
  },
  'DELETE /inboxes/{id}': { operationId: 'deleteInbox' },
  'POST /inboxes/{id}/register': { operationId: 'registerInbox' },
  'PUT /inboxes/{id}/team': {
    operationId: 'setInboxTeam',
    description: 'Open conversations keep their team.',
    example: { teamId: 'team_01k4xq7d9hfk3b0m6a7yz2c5rh' },
  },
  'DELETE /inboxes/{id}/team': {
    operationId: 'removeInboxTeam',
    description: 'Open conversations keep their team.',
  },
  'PUT /inboxes/{id}/credentials': {
    operationId: 'setInboxCredentials',
    example: { authToken: 'token-of-your-account' },
  },
  'GET /inboxes/{id}/chatapp/templates': {
    operationId: 'listTemplates',
    description: 'Read from the provider; `components` is as the provider describes it.',
  },
  'GET /inboxes/{id}/chatapp/flows': { operationId: 'listFlows', description: 'Read from the provider.' },
  'GET /inboxes/{inboxId}/socialapp/media': {
    operationId: 'listSocialMedia',
    description: 'For journeys that start with a comment on a post, reel or story.',
  },
  'GET /chatapp/{wabaId}/phone-numbers': {
    operationId: 'listChatappPhoneNumbers',
    description: 'Use the ids in `POST /inboxes`.',
  },
  'POST /smsprovider/{accountSid}/phone-numbers': {
    operationId: 'listSmsPhoneNumbers',
    example: { authToken: 'token-of-your-account' },
  },
  'GET /channels/chatapp/webhook': {
    operationId: 'verifyChatappWebhook',
    description: 'Called by the provider when the URL is registered.',
  },
  'GET /channels/socialapp/webhook': {
    operationId: 'verifySocialappWebhook',
    description: 'Called by the provider when the URL is registered.',
  },
  'POST /channels/chatapp/webhook': {
    operationId: 'receiveChatappWebhook',
    description: 'Called by the provider. Stored before it is acknowledged, and applied once.',
  },
  'POST /channels/socialapp/webhook': {
    operationId: 'receiveSocialappWebhook',
    description: 'Called by the provider. Stored before it is acknowledged, and applied once.',
  },
  'POST /channels/sms/{inboxId}/{kind}': {
    operationId: 'receiveSmsWebhook',
    description: 'Called by the provider. Stored before it is acknowledged, and applied once.',
  },
  'POST /messages': {
    operationId: 'sendMessage',
    example: {
      recipient: { type: 'phone', phoneNumber: '+14155550132' },
      inboxId: 'ibx_01k4xq7d9hfk3b0m6a7yz2c5rf',
      content: { type: 'text', text: { body: 'Hello from Parley' } },
    },
  },
  'GET /messages/{id}': {
    operationId: 'getMessage',
    description: 'Poll `deliveryStatus`, or receive `message.updated` by webhook.',
  },
  'POST /messages/{id}/reactions': { operationId: 'reactToMessage', example: { emoji: '👍' } },
  'POST /media/uploads': { operationId: 'uploadMedia' },
  'GET /media/{mediaId}': { operationId: 'getMedia' },
  'GET /media/{mediaId}/content': { operationId: 'downloadMedia' },
  'GET /conversations': {
    operationId: 'listConversations',
    description:
      'Lists conversations that you can see, by default those with the latest messages first. All filters must match.',
  },
  'GET /conversations/{id}': {
    operationId: 'getConversation',
    description: '`window` shows whether a person or a bot can reply now, and with which content.',
  },
  'GET /conversations/{id}/messages': {
    operationId: 'listConversationMessages',
    description: 'Includes messages of conversations that were merged into it.',
  },
  'POST /conversations/{id}/messages': {
    operationId: 'replyToConversation',
    description: 'Sends through the inbox of the open session, or through `inboxId`.',
    example: { content: { type: 'text', text: { body: 'Hello from Parley' } } },
  },
  'POST /conversations/{id}/reassign': {
    operationId: 'reassignConversation',
    description: 'The user must be able to see the conversation.',
    example: { userId: 'usr_01k4xq7d9hfk3b0m6a7yz2c5rg' },
  },
  'POST /conversations/{id}/contact': {
    operationId: 'relinkConversation',
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
  },
  'POST /conversations/{id}/read': {
    operationId: 'markConversationRead',
    description: 'Your unread counters change; those of other users do not.',
    example: { lastMessageId: 'msg_01k4xq7d9hfk3b0m6a7yz2c5rm' },
  },
  'POST /conversations/{id}/close': { operationId: 'closeConversation' },
}
