import Type from 'typebox'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { ConversationNotFound, LabelLimitReached, LabelNameTaken, LabelNotFound } from '../errors.ts'
import {
  createLabel,
  deleteLabel,
  editLabel,
  labelConversation,
  unlabelConversation,
} from '../labels/labels.ts'
import { Label, LabelPatch, NewLabel } from '../labels/schemas.ts'
import { Conversation } from '../schemas.ts'
import { listLabels } from '../store/labels.ts'

const route = section('Labels', { extension: true })
const update = { scopes: ['conversation:update'], roles: everyone }

export const labelRoutes = [
  route('GET /labels', {
    operationId: 'listLabels',
    summary: 'List the labels',
    description: 'By name. A workspace has at most 1,000 labels.',
    access: { scopes: ['label:list'], roles: everyone },
    success: { status: 200, body: object({ labels: Type.Array(Label) }) },
    handle: async ({ db, caller }) => ({ labels: await listLabels(db, caller.tenantId) }),
  }),
  route('POST /labels', {
    operationId: 'createLabel',
    summary: 'Create a label',
    description: 'The name must be unique in the workspace.',
    access: { scopes: ['label:create'], roles: managers },
    body: NewLabel,
    example: { name: 'Billing', color: '#2b59c3' },
    success: { status: 201, body: Label },
    errors: [LabelNameTaken, LabelLimitReached],
    handle: ({ write, caller, body }) => write(tx => createLabel(tx, caller, body)),
  }),
  route('PATCH /labels/{id}', {
    operationId: 'updateLabel',
    summary: 'Rename or recolor a label',
    description: 'Conversations keep the label.',
    access: { scopes: ['label:update'], roles: managers },
    body: LabelPatch,
    example: { color: '#176b3a' },
    success: { status: 200, body: Label },
    errors: [LabelNotFound, LabelNameTaken],
    handle: ({ write, caller, params, body }) => write(tx => editLabel(tx, caller.tenantId, params.id, body)),
  }),
  route('DELETE /labels/{id}', {
    operationId: 'deleteLabel',
    summary: 'Delete a label',
    description: 'Removes it from conversations in the background, with a `conversation.updated` for each.',
    access: { scopes: ['label:delete'], roles: managers },
    success: { status: 204 },
    errors: [LabelNotFound],
    handle: ({ write, caller, params }) => write(tx => deleteLabel(tx, caller.tenantId, params.id)),
  }),
  route('PUT /conversations/{id}/labels/{labelId}', {
    operationId: 'addConversationLabel',
    summary: 'Add a label to a conversation',
    description: 'Does nothing if the conversation has the label. A conversation has at most 50 labels.',
    access: update,
    success: { status: 200, body: Conversation },
    errors: [ConversationNotFound, LabelNotFound, LabelLimitReached],
    handle: ({ write, caller, params }) =>
      write(tx => labelConversation(tx, caller, params.id, params.labelId)),
  }),
  route('DELETE /conversations/{id}/labels/{labelId}', {
    operationId: 'removeConversationLabel',
    summary: 'Remove a label from a conversation',
    description: 'Does nothing if the conversation does not have the label.',
    access: update,
    success: { status: 200, body: Conversation },
    errors: [ConversationNotFound, LabelNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => unlabelConversation(tx, caller, params.id, params.labelId)),
  }),
]
