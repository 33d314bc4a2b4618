import Type from 'typebox'
import { tokenPage } from '../../platform/http/page.ts'
import { route } from '../../platform/http/route.ts'
import { AnyId, IdPath, object } from '../../platform/http/schemas.ts'
import {
  activateChatbot,
  chatbotToApi,
  chatbotVersionToApi,
  createChatbot,
  deleteChatbot,
  pauseChatbot,
  updateChatbot,
} from '../chatbots.ts'
import { checkActivatable, findBrokenReferences } from '../definition/broken-references.ts'
import { buildDiff, WorkflowDiff } from '../definition/diff.ts'
import { checkPublishable } from '../definition/validation.ts'
import {
  ChatbotActive,
  ChatbotChanged,
  ChatbotNotActive,
  ChatbotNotFound,
  ChatbotNotPublished,
  ChatbotScopeTaken,
  ChatbotVersionNotFound,
} from '../errors.ts'
import { Chatbot, ChatbotPatch, ChatbotVersion, NewChatbot } from '../schemas.ts'
import { listVersionPage, listWorkflowPage } from '../versions.ts'
import { getVersion, getWorkflow, publishWorkflow, restoreVersion } from '../workflows.ts'

const tag = 'Chatbots'
const roles = ['owner', 'admin', 'agent'] as const
const can = (what: string) => ({ scopes: [`journey:${what}`], roles })
const kind = 'chatbot'

export const chatbotRoutes = [
  route({
    method: 'GET',
    path: '/chatbots',
    tag,
    summary: 'List the chatbots',
    access: can('list'),
    page: tokenPage,
    success: {
      status: 200,
      body: object({
        chatbots: Type.Array(Chatbot),
        nextPageToken: Type.Optional(Type.String()),
        totalSize: Type.Integer(),
      }),
    },
    handle: async ({ db, caller, page }) => {
      const { rows, ...rest } = await listWorkflowPage(db, caller.tenantId, kind, page)
      return { chatbots: rows.map(chatbotToApi), ...rest }
    },
  }),
  route({
    method: 'POST',
    path: '/chatbots',
    tag,
    summary: 'Create a chatbot as a draft',
    access: can('create'),
    body: NewChatbot,
    success: { status: 201, body: Chatbot },
    handle: ({ write, caller, body }) => write(tx => createChatbot(tx, caller, body)),
  }),
  route({
    method: 'GET',
    path: '/chatbots/{id}',
    tag,
    summary: 'Get a chatbot',
    access: can('read'),
    params: IdPath,
    success: { status: 200, body: Chatbot },
    errors: [ChatbotNotFound],
    handle: async context => {
      const row = await getWorkflow(context.db, context.caller.tenantId, kind, context.params.id)
      return { ...chatbotToApi(row), missing: await findBrokenReferences(context, row) }
    },
  }),
  route({
    method: 'PATCH',
    path: '/chatbots/{id}',
    tag,
    summary: 'Edit the draft of a chatbot; what runs stays as it was published',
    access: can('update'),
    params: IdPath,
    body: ChatbotPatch,
    success: { status: 200, body: Chatbot },
    errors: [ChatbotNotFound, ChatbotScopeTaken],
    handle: ({ write, caller, params, body }) => write(tx => updateChatbot(tx, caller, params.id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/chatbots/{id}',
    tag,
    summary: 'Delete a chatbot that is not active',
    access: can('delete'),
    params: IdPath,
    success: { status: 204 },
    errors: [ChatbotNotFound, ChatbotActive],
    handle: ({ write, caller, params }) => write(tx => deleteChatbot(tx, caller, params.id)),
  }),
  route({
    method: 'POST',
    path: '/chatbots/{id}/publish',
    tag,
    summary: 'Check the draft and make an immutable version of it',
    access: can('publish'),
    params: IdPath,
    success: { status: 200, body: ChatbotVersion },
    errors: [ChatbotNotFound, ChatbotChanged],
    handle: async context => {
      const { caller, params } = context
      const draft = await getWorkflow(context.db, caller.tenantId, kind, params.id)
      await checkPublishable(context, draft)
      return chatbotVersionToApi(await context.write(tx => publishWorkflow(tx, caller, draft)))
    },
  }),
  route({
    method: 'POST',
    path: '/chatbots/{id}/activate',
    tag,
    summary: 'Let the bot answer new conversations of its teams',
    access: can('activate'),
    params: IdPath,
    success: { status: 200, body: Chatbot },
    errors: [ChatbotNotFound, ChatbotNotPublished, ChatbotActive, ChatbotScopeTaken],
    handle: async context => {
      const { caller, params } = context
      await checkActivatable(context, await getWorkflow(context.db, caller.tenantId, kind, params.id))
      return context.write(tx => activateChatbot(tx, caller, params.id))
    },
  }),
  route({
    method: 'POST',
    path: '/chatbots/{id}/pause',
    tag,
    summary: 'Answer no new conversations; what is under way goes on',
    access: can('activate'),
    params: IdPath,
    success: { status: 200, body: Chatbot },
    errors: [ChatbotNotFound, ChatbotNotActive],
    handle: ({ write, caller, params }) => write(tx => pauseChatbot(tx, caller, params.id)),
  }),
]

const versionsPath = object({ id: AnyId, versionId: AnyId })

export const chatbotVersionRoutes = [
  route({
    method: 'GET',
    path: '/chatbots/{id}/versions',
    tag,
    summary: 'List the versions of a chatbot, newest first',
    access: can('read'),
    params: IdPath,
    page: tokenPage,
    success: {
      status: 200,
      body: object({
        chatbotVersions: Type.Array(ChatbotVersion),
        nextPageToken: Type.Optional(Type.String()),
        totalSize: Type.Integer(),
      }),
    },
    errors: [ChatbotNotFound],
    handle: async ({ db, caller, params, page }) => {
      const { rows, ...rest } = await listVersionPage(db, caller.tenantId, kind, params.id, page)
      return { chatbotVersions: rows.map(chatbotVersionToApi), ...rest }
    },
  }),
  route({
    method: 'GET',
    path: '/chatbots/{id}/versions/{versionId}',
    tag,
    summary: 'Get a version of a chatbot',
    access: can('read'),
    params: versionsPath,
    success: { status: 200, body: ChatbotVersion },
    errors: [ChatbotVersionNotFound],
    handle: async ({ db, caller, params }) =>
      chatbotVersionToApi(await getVersion(db, caller.tenantId, kind, params.versionId, params.id)),
  }),
  route({
    method: 'GET',
    path: '/chatbots/{id}/versions/{a}/diff/{b}',
    tag,
    summary: 'Say what changed between two versions of a chatbot',
    access: can('read'),
    extension: true,
    params: object({ id: AnyId, a: AnyId, b: AnyId }),
    success: { status: 200, body: WorkflowDiff },
    errors: [ChatbotNotFound, ChatbotVersionNotFound],
    handle: async ({ db, caller, params }) => {
      const { id } = await getWorkflow(db, caller.tenantId, kind, params.id)
      const side = (versionId: string) => getVersion(db, caller.tenantId, kind, versionId, id)
      return buildDiff(await side(params.a), await side(params.b))
    },
  }),
  route({
    method: 'POST',
    path: '/chatbots/{id}/versions/{versionId}/restore',
    tag,
    summary: 'Make the draft what a version was',
    access: can('update'),
    extension: true,
    params: versionsPath,
    success: { status: 200, body: Chatbot },
    errors: [ChatbotNotFound, ChatbotVersionNotFound],
    handle: ({ write, caller, params }) =>
      write(async tx => chatbotToApi(await restoreVersion(tx, caller, kind, params.id, params.versionId))),
  }),
]
