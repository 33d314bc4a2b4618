/**
 * For each path with ids: creates the resource in a workspace, and a valid body. The isolation test uses every path
 * with ids, so a new operation with an id must be added here.
 */
import { PNG } from 'pngjs'
import type { Workspace } from '../harness/api.ts'

export interface Factory {
  params: (workspace: Workspace) => Promise<Record<string, string>>
  /** Bodies by method, for operations with a body. */
  body?:
    | Record<string, unknown>
    | ((
        workspace: Workspace,
        params: Record<string, string>,
      ) => Record<string, unknown> | Promise<Record<string, unknown>>)
  /** Parameters that are not ids. */
  fixed?: string[]
  /** Sent with every call, such as If-Match. */
  headers?: Record<string, string>
  /** Whether the id belongs to a provider and may be used by any workspace. */
  isProviderId?: boolean
  /** Creates the resource under the given name, so that an unknown name is not a 404. */
  createdBy?: 'PUT'
}

const account = async ({ owner }: Workspace) =>
  (await owner.post('/service-accounts', { name: 'Robot' })).body.id as string
const team = async ({ owner }: Workspace) =>
  (await owner.post('/teams', { name: `Team ${Math.random()}` })).body.id as string
const invitation = async ({ owner }: Workspace) =>
  (await owner.post('/users/invitations', { email: `${Math.random()}@example.com`, role: 'agent' })).body
    .invitation.id as string
const agent = async ({ user }: Workspace) => (await user('agent')).id

let numbers = 0
const chatappInbox = async ({ owner }: Workspace) => {
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['waba-contract'], phoneNumberIds: [`number-${numbers++}`] },
  })
  return body.inboxes[0].id as string
}
const socialappInbox = async ({ owner }: Workspace) => {
  const { body } = await owner.post('/inboxes', { socialapp: { resourceIds: [`account-${numbers++}`] } })
  return body.inboxes[0].id as string
}

/** A web chat with a visitor. */
export async function createVisitor({ owner }: Workspace) {
  const { body } = await owner.post('/inboxes', { webchat: { name: 'Website', allowedOrigins: [] } })
  const [{ id: inboxId, externalId: inboxKey }] = body.inboxes
  const session = (await owner.post(`/widget/${inboxKey}/sessions`, {})).body
  return {
    inboxId: inboxId as string,
    inboxKey: inboxKey as string,
    visitorId: session.visitor.id as string,
    token: session.visitorToken as string,
  }
}
const visitorConversation = async (workspace: Workspace) => {
  const { inboxId, visitorId } = await createVisitor(workspace)
  const { body } = await workspace.owner.post('/messages', {
    recipient: { type: 'channel', channel: 'webchat', externalId: visitorId },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return { id: body.conversation.id as string }
}

const contact = async ({ owner }: Workspace) =>
  (await owner.post('/contacts', { name: 'Ada' })).body.id as string
const tag = async ({ owner }: Workspace) =>
  (await owner.post('/tags', { name: `Tag ${Math.random()}` })).body.id as string
const label = async ({ owner }: Workspace) =>
  (await owner.post('/labels', { name: `Label ${Math.random()}` })).body.id as string
const field = async ({ owner }: Workspace, resource = 'contacts') =>
  (await owner.post(`/${resource}/custom-fields`, { name: `Field ${Math.random()}`, type: 'text' })).body
    .id as string
const segment = async ({ owner }: Workspace) =>
  (await owner.post('/segments', { name: 'All', filter: { match: 'all', conditions: [] } })).body.id as string
const definition = {
  nodes: [{ id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }],
  edges: [],
}
const journey = async ({ owner }: Workspace) => {
  const { id } = (await owner.post('/journeys', { name: 'J', definition })).body as { id: string }
  const versionId = (await owner.post(`/journeys/${id}/publish`)).body.id as string
  return { id, versionId, a: versionId, b: versionId }
}
const run = async (workspace: Workspace) => {
  const { id } = await journey(workspace)
  await workspace.owner.post(`/journeys/${id}/activate`)
  const { body } = await workspace.owner.post(`/journeys/${id}/runs`, { contactId: await contact(workspace) })
  return body.id as string
}
const chatbot = async ({ owner }: Workspace) => {
  const draft = { nodes: [{ id: 's', type: 'start', data: {} }], edges: [] }
  const { id } = (await owner.post('/chatbots', { name: 'B', draft })).body as { id: string }
  const versionId = (await owner.post(`/chatbots/${id}/publish`)).body.id as string
  return { id, versionId, a: versionId, b: versionId }
}
const sent = async (workspace: Workspace) => {
  const inboxId = await chatappInbox(workspace)
  const recipient = { type: 'phone', phoneNumber: `+1415555${1000 + numbers++}` }
  const content = { type: 'text', text: { body: 'Hello' } }
  const { body } = await workspace.owner.post('/messages', { recipient, inboxId, content })
  return body as { message: { id: string }; conversation: { id: string } }
}
const conversation = async (workspace: Workspace) => ({ id: (await sent(workspace)).conversation.id })
const getNewestMessageId = async ({ owner }: Workspace, id: string) =>
  (await owner.get(`/conversations/${id}/messages`)).body.messages[0].id as string
const note = async (workspace: Workspace) => {
  const { id } = await conversation(workspace)
  return {
    id: (await workspace.owner.post(`/conversations/${id}/notes`, { text: 'A note' })).body.id as string,
  }
}
const savedReply = async ({ owner }: Workspace) =>
  (await owner.post('/saved-replies', { shortcut: `r${numbers++}`, text: 'Hello' })).body.id as string
const macro = async ({ owner }: Workspace) =>
  (await owner.post('/macros', { name: 'Done', actions: [{ type: 'close' }] })).body.id as string
const contactBulkAction = async ({ owner }: Workspace) => {
  const body = { filter: { match: 'all', conditions: [] }, action: { type: 'archive' } }
  return { id: (await owner.post('/contacts/bulk', body)).body.id as string }
}
const bulkAction = async ({ owner }: Workspace) => ({
  id: (await owner.post('/conversations/bulk', { filter: {}, action: { type: 'close' } })).body.id as string,
})
const campaign = async ({ owner }: Workspace) => ({
  campaignId: (await owner.post('/campaigns', { name: 'Spring' })).body.id as string,
})
const upload = async ({ owner }: Workspace, method: string, path: string, file: File) => {
  const form = new FormData()
  form.set('file', file)
  const headers = { authorization: `Bearer ${owner.token}` }
  const response = await fetch(`${owner.url}/v1${path}`, { method, headers, body: form })
  return (await response.json()) as Record<string, string>
}
const importedFile = async (workspace: Workspace) => {
  const file = new File(['name\nAda\n'], 'people.csv', { type: 'text/csv' })
  return (await upload(workspace, 'POST', '/contacts/import', file)).importId!
}
const uploadedFile = async (workspace: Workspace) => {
  const file = new File(['hello'], 'note.txt', { type: 'text/plain' })
  return (await upload(workspace, 'POST', '/media/uploads', file)).mediaId!
}
/** Returns the secret part of the URL of a picture. */
const picture = async (workspace: Workspace) => {
  const bytes = new Uint8Array(PNG.sync.write(new PNG({ width: 2, height: 2 })))
  const file = new File([bytes], 'me.png', { type: 'image/png' })
  return (await upload(workspace, 'PUT', '/users/me/avatar', file)).url!.split('/').at(-1)!
}
// No endpoint listens there.
const webhookEndpoint = async ({ owner }: Workspace) =>
  (await owner.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })).body.id as string
const none = { match: 'all', conditions: [] }

export const factories: Record<string, Factory> = {
  '/service-accounts/{id}': {
    params: async workspace => ({ id: await account(workspace) }),
    body: { PATCH: { name: 'Renamed' } },
  },
  '/service-accounts/{id}/api-keys': {
    params: async workspace => ({ id: await account(workspace) }),
    body: { POST: { name: 'Key' } },
  },
  '/api-keys/{id}': {
    params: async workspace => {
      const { body } = await workspace.owner.post(`/service-accounts/${await account(workspace)}/api-keys`, {
        name: 'Key',
      })
      return { id: body.apiKey.id }
    },
  },
  '/users/{userId}': {
    params: async workspace => ({ userId: await agent(workspace) }),
    body: { PATCH: { disabled: true } },
  },
  '/users/{userId}/password-reset': { params: async workspace => ({ userId: await agent(workspace) }) },
  '/users/invitations/{id}': { params: async workspace => ({ id: await invitation(workspace) }) },
  '/users/invitations/{id}/renew': { params: async workspace => ({ id: await invitation(workspace) }) },
  '/users/me/sessions/{id}': { params: async workspace => ({ id: await workspace.ownerSession() }) },
  '/users/{userId}/second-factor': { params: async workspace => ({ userId: await agent(workspace) }) },
  '/users/{userId}/role': {
    params: async workspace => ({ userId: await agent(workspace) }),
    body: { PUT: { role: 'admin' } },
  },
  '/secrets/{name}': {
    params: async ({ owner }) => {
      const name = `secret_${Math.random().toString(36).slice(2)}`
      await owner.put(`/secrets/${name}`, { value: 'a value' })
      return { name }
    },
    body: { PUT: { value: 'another value' } },
    createdBy: 'PUT',
  },
  '/teams/{id}': {
    params: async workspace => ({ id: await team(workspace) }),
    body: { PATCH: { name: 'Other' } },
  },
  '/teams/{id}/members/{userId}': {
    params: async workspace => ({ id: await team(workspace), userId: await agent(workspace) }),
  },
  '/inboxes/{id}': {
    params: async workspace => ({ id: await chatappInbox(workspace) }),
    body: { PATCH: { name: 'Renamed' } },
  },
  '/inboxes/{id}/check': { params: async workspace => ({ id: await chatappInbox(workspace) }) },
  '/inboxes/{id}/health': { params: async workspace => ({ id: await chatappInbox(workspace) }) },
  '/inboxes/{id}/team': {
    params: async workspace => ({ id: await chatappInbox(workspace) }),
    body: ({ teamId }) => ({ PUT: { teamId } }),
  },
  '/inboxes/{id}/credentials': {
    params: async workspace => ({ id: await chatappInbox(workspace) }),
    body: { PUT: { authToken: 'token' } },
  },
  '/inboxes/{id}/identity-key': {
    params: async workspace => ({ id: (await createVisitor(workspace)).inboxId }),
    body: { POST: {} },
  },
  '/widget/{inboxKey}/sessions': {
    params: async workspace => ({ inboxKey: (await createVisitor(workspace)).inboxKey }),
    body: { POST: {} },
  },
  '/conversations/{id}/visitor': { params: visitorConversation, body: { PATCH: { isBlocked: true } } },
  '/inboxes/{id}/register': { params: async workspace => ({ id: await chatappInbox(workspace) }) },
  '/inboxes/{id}/chatapp/templates': { params: async workspace => ({ id: await chatappInbox(workspace) }) },
  '/inboxes/{id}/chatapp/flows': { params: async workspace => ({ id: await chatappInbox(workspace) }) },
  '/inboxes/{id}/chatapp/flows/{flowId}/preview': {
    params: async workspace => {
      const id = await chatappInbox(workspace)
      const { flows } = (await workspace.owner.get(`/inboxes/${id}/chatapp/flows`)).body
      return { id, flowId: flows[0].id }
    },
    // Two workspaces may share a business account.
    fixed: ['flowId'],
  },
  '/inboxes/{inboxId}/socialapp/media': {
    params: async workspace => ({ inboxId: await socialappInbox(workspace) }),
  },
  '/chatapp/{wabaId}/phone-numbers': { params: async () => ({ wabaId: 'waba-1' }), isProviderId: true },
  '/smsprovider/{accountSid}/phone-numbers': {
    params: async () => ({ accountSid: 'AC1' }),
    body: { POST: { authToken: 'token' } },
    isProviderId: true,
  },
  '/contacts/{id}': {
    params: async workspace => ({ id: await contact(workspace) }),
    body: { PATCH: { name: 'Eve' } },
  },
  '/contacts/{id}/avatar': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/erase': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/archive': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/unarchive': {
    params: async workspace => {
      const id = await contact(workspace)
      await workspace.owner.post(`/contacts/${id}/archive`)
      return { id }
    },
  },
  '/contacts/{id}/opt-outs/{channel}': {
    params: async workspace => ({ id: await contact(workspace), channel: 'sms' }),
    fixed: ['channel'],
  },
  '/contacts/{id}/conversations': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/campaigns': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/files': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/opt-outs': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/runs': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/timeline': { params: async workspace => ({ id: await contact(workspace) }) },
  '/contacts/{id}/notes': {
    params: async workspace => ({ id: await contact(workspace) }),
    body: { POST: { text: 'A note' } },
  },
  '/contacts/{id}/notes/{noteId}': {
    params: async workspace => {
      const id = await contact(workspace)
      const { body } = await workspace.owner.post(`/contacts/${id}/notes`, { text: 'A note' })
      return { id, noteId: body.id }
    },
    body: { PATCH: { text: 'Another note' } },
  },
  '/contacts/{id}/merge': {
    params: async workspace => ({ id: await contact(workspace) }),
    body: async workspace => ({ POST: { intoContactId: await contact(workspace) } }),
  },
  '/contacts/{contactId}/custom-fields/{customFieldId}': {
    params: async workspace => ({
      contactId: await contact(workspace),
      customFieldId: await field(workspace),
    }),
    body: { PUT: { value: 'gold' } },
  },
  '/contacts/{contactId}/tags/{tagId}': {
    params: async workspace => ({ contactId: await contact(workspace), tagId: await tag(workspace) }),
  },
  '/contacts/imports/{id}': {
    params: async workspace => ({ id: await importedFile(workspace) }),
  },
  '/tags/{id}': {
    params: async workspace => ({ id: await tag(workspace) }),
    body: { PATCH: { name: 'Renamed' } },
  },
  '/contacts/custom-fields/{id}': {
    params: async workspace => ({ id: await field(workspace) }),
    body: { PATCH: { name: 'Renamed', type: 'text' } },
  },
  '/properties/custom-fields/{id}': {
    params: async workspace => ({ id: await field(workspace, 'properties') }),
    body: { PATCH: { name: 'Renamed', type: 'text' } },
  },
  '/segments/{segmentId}': {
    params: async workspace => ({ segmentId: await segment(workspace) }),
    body: { PATCH: { name: 'Renamed' } },
    headers: { 'if-match': '*' },
  },
  '/segments/{segmentId}/contacts/search': {
    params: async workspace => ({ segmentId: await segment(workspace) }),
    body: { POST: { filter: none } },
  },
  '/segments/{segmentId}/count': { params: async workspace => ({ segmentId: await segment(workspace) }) },
  '/segments/{segmentId}/contacts/{contactId}/explain': {
    params: async workspace => ({ segmentId: await segment(workspace), contactId: await contact(workspace) }),
  },
  '/pictures/{key}': { params: async workspace => ({ key: await picture(workspace) }) },
  '/media/{mediaId}': { params: async workspace => ({ mediaId: await uploadedFile(workspace) }) },
  '/journeys/{id}/runs': {
    params: async workspace => ({ id: (await journey(workspace)).id }),
    body: async workspace => ({ POST: { contactId: await contact(workspace) } }),
  },
  '/chatbots/{id}/runs': { params: async workspace => ({ id: (await chatbot(workspace)).id }) },
  '/journeys/{id}/analytics': { params: async workspace => ({ id: (await journey(workspace)).id }) },
  '/journeys/{id}/validate': { params: async workspace => ({ id: (await journey(workspace)).id }) },
  '/journeys/{id}/stats': { params: async workspace => ({ id: (await journey(workspace)).id }) },
  '/chatbots/{id}/validate': { params: async workspace => ({ id: (await chatbot(workspace)).id }) },
  '/chatbots/{id}/stats': { params: async workspace => ({ id: (await chatbot(workspace)).id }) },
  '/journeys/{id}/duplicate': { params: async workspace => ({ id: (await journey(workspace)).id }) },
  '/chatbots/{id}/duplicate': { params: async workspace => ({ id: (await chatbot(workspace)).id }) },
  '/journeys/{id}/enroll': {
    params: async workspace => ({ id: (await journey(workspace)).id }),
    body: async workspace => ({ POST: { segmentId: await segment(workspace) } }),
  },
  '/campaigns/{campaignId}/duplicate': { params: campaign },
  '/journeys/{id}/contacts/{contactId}/explain': {
    params: async workspace => ({
      id: (await journey(workspace)).id,
      contactId: await contact(workspace),
    }),
  },
  '/journeys/{id}/simulate': { params: async workspace => ({ id: (await journey(workspace)).id }) },
  '/chatbots/{id}/simulate': { params: async workspace => ({ id: (await chatbot(workspace)).id }) },
  '/journeys/{id}/cases': {
    params: async workspace => ({ id: (await journey(workspace)).id }),
    body: { PUT: { cases: [] } },
  },
  '/chatbots/{id}/cases': {
    params: async workspace => ({ id: (await chatbot(workspace)).id }),
    body: { PUT: { cases: [] } },
  },
  '/runs/{id}': { params: async workspace => ({ id: await run(workspace) }) },
  '/runs/{id}/cancel': { params: async workspace => ({ id: await run(workspace) }) },
  '/runs/{id}/retry': { params: async workspace => ({ id: await run(workspace) }) },
  '/journeys/{id}': { params: journey, body: { PATCH: { name: 'Renamed' } } },
  '/journeys/{id}/publish': { params: journey },
  '/journeys/{id}/activate': { params: journey },
  '/journeys/{id}/pause': { params: journey },
  '/journeys/{id}/versions': { params: journey },
  '/journeys/versions/{versionId}': { params: journey },
  '/journeys/{id}/versions/{a}/diff/{b}': { params: journey },
  '/journeys/{id}/versions/{versionId}/restore': { params: journey },
  '/chatbots/{id}': { params: chatbot, body: { PATCH: { name: 'Renamed' } } },
  '/chatbots/{id}/publish': { params: chatbot },
  '/chatbots/{id}/activate': { params: chatbot },
  '/chatbots/{id}/pause': { params: chatbot },
  '/chatbots/{id}/versions': { params: chatbot },
  '/chatbots/{id}/versions/{versionId}': { params: chatbot },
  '/chatbots/{id}/versions/{a}/diff/{b}': { params: chatbot },
  '/chatbots/{id}/versions/{versionId}/restore': { params: chatbot },
  '/campaigns/{campaignId}': {
    params: campaign,
    body: { PATCH: { name: 'Renamed' } },
  },
  '/campaigns/{campaignId}/schedule': { params: campaign, body: { POST: { sendAt: 'now' } } },
  '/campaigns/{campaignId}/unschedule': { params: campaign },
  '/campaigns/{campaignId}/recipients': { params: campaign },
  '/campaigns/{campaignId}/recipients/export': { params: campaign },
  '/campaigns/{campaignId}/recipients/reasons': { params: campaign },
  '/campaigns/{campaignId}/analytics': { params: campaign },
  '/campaigns/{campaignId}/pause': { params: campaign },
  '/campaigns/{campaignId}/resume': { params: campaign },
  '/campaigns/{campaignId}/cancel': { params: campaign },
  '/campaigns/{campaignId}/preview': {
    params: campaign,
    body: async workspace => ({ POST: { contactId: await contact(workspace) } }),
  },
  '/campaigns/{campaignId}/test': {
    params: campaign,
    body: async workspace => ({ POST: { contactId: await contact(workspace) } }),
  },
  '/campaigns/{campaignId}/estimate': { params: campaign },
  '/campaigns/{campaignId}/estimate/sendable': { params: campaign },
  '/campaigns/{campaignId}/estimate/skipped/{reason}': {
    params: async workspace => ({ ...(await campaign(workspace)), reason: 'archived' }),
    fixed: ['reason'],
  },
  '/messages/{id}': {
    params: async workspace => ({ id: (await sent(workspace)).message.id }),
    body: { PATCH: { sendAt: '2027-03-01T09:00:00Z' } },
  },
  '/messages/{id}/retry': { params: async workspace => ({ id: (await sent(workspace)).message.id }) },
  '/conversations/{id}/scheduled': { params: conversation },
  '/messages/{id}/reactions': {
    params: async workspace => ({ id: (await sent(workspace)).message.id }),
    body: { POST: { emoji: '👍' } },
  },
  '/conversations/{id}': { params: conversation },
  '/conversations/{id}/messages': {
    params: conversation,
    body: { POST: { content: { type: 'text', text: { body: 'Hello' } } } },
  },
  '/conversations/{id}/reassign': {
    params: conversation,
    body: ({ owner }) => ({ POST: { userId: owner.id } }),
  },
  '/conversations/{id}/contact': {
    params: conversation,
    body: async workspace => ({ POST: { contactId: await contact(workspace) } }),
  },
  '/conversations/{id}/read': {
    params: conversation,
    body: async (workspace, { id }) => ({
      POST: { lastMessageId: await getNewestMessageId(workspace, id!) },
    }),
  },
  '/conversations/{id}/close': { params: conversation },
  '/conversations/{id}/notes': { params: conversation, body: { POST: { text: 'A note' } } },
  '/conversations/{id}/timeline': { params: conversation },
  '/conversations/{id}/draft': {
    params: conversation,
    body: { PUT: { kind: 'reply', content: { text: 'Thank you' }, revision: 0 } },
  },
  '/notes/{id}': { params: note, body: { PATCH: { text: 'Another note' } } },
  '/conversations/{id}/owner': {
    params: conversation,
    body: ({ owner }) => ({ PUT: { type: 'user', id: owner.id } }),
  },
  '/contacts/bulk/{id}': { params: contactBulkAction },
  '/contacts/bulk/{id}/undo': { params: contactBulkAction },
  '/conversations/bulk/{id}': { params: bulkAction },
  '/conversations/bulk/{id}/items': { params: bulkAction },
  '/conversations/bulk/{id}/undo': { params: bulkAction },
  '/conversations/{id}/labels/{labelId}': {
    params: async workspace => ({ ...(await conversation(workspace)), labelId: await label(workspace) }),
  },
  '/labels/{id}': {
    params: async workspace => ({ id: await label(workspace) }),
    body: { PATCH: { color: '#176b3a' } },
  },
  '/views/{id}': {
    params: async ({ owner }) => ({ id: (await owner.post('/views', { name: 'Open', filter: {} })).body.id }),
    body: { PATCH: { name: 'Renamed' } },
  },
  '/users/me/push-subscriptions/{id}': {
    params: async ({ owner }) => {
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      }
      const subscription = { endpoint: 'https://push.example.com/send/f3b2', keys }
      return { id: (await owner.post('/users/me/push-subscriptions', subscription)).body.id }
    },
  },
  '/saved-replies/{id}': {
    params: async workspace => ({ id: await savedReply(workspace) }),
    body: { PATCH: { text: 'We are open from 9 to 18.' } },
  },
  '/saved-replies/{id}/render': {
    params: async workspace => ({ id: await savedReply(workspace) }),
    body: async workspace => ({ POST: { conversationId: (await conversation(workspace)).id } }),
  },
  '/macros/{id}': {
    params: async workspace => ({ id: await macro(workspace) }),
    body: { PATCH: { name: 'Finished' } },
  },
  '/macros/{id}/run': {
    params: async workspace => ({ id: await macro(workspace) }),
    body: async workspace => ({ POST: { conversationIds: [(await conversation(workspace)).id] } }),
  },
  '/conversations/{id}/reopen': { params: conversation },
  '/conversations/{id}/snooze': { params: conversation, body: { PUT: { untilReply: true } } },
  '/conversations/{id}/priority': { params: conversation, body: { PUT: { priority: 'high' } } },
  '/webhooks/endpoints/{id}': {
    params: async workspace => ({ id: await webhookEndpoint(workspace) }),
    body: { PATCH: { enabled: false } },
  },
  '/webhooks/endpoints/{id}/verify': {
    params: async workspace => ({ id: await webhookEndpoint(workspace) }),
  },
  '/webhooks/attempts/{id}/resend': {
    params: async ({ owner }) => {
      // No endpoint listens there; the failed attempt is listed anyway.
      await owner.patch('/webhooks', { url: 'http://127.0.0.1:9/hook' })
      await owner.post('/webhooks/verify')
      return { id: (await owner.get('/webhooks/attempts')).body.attempts[0].id }
    },
  },
  '/webhooks/signing-keys/{id}/revoke': {
    params: async ({ owner }) => {
      await owner.get('/webhooks/signing-keys')
      await owner.post('/webhooks/signing-keys/rotate')
      return { id: (await owner.get('/webhooks/signing-keys')).body.keys[1].id }
    },
  },
}
