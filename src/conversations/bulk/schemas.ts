import Type, { type Static } from 'typebox'
import { bulkProperties, maxBulkIds } from '../../platform/bulk/schemas.ts'
import type { Scope } from '../../platform/http/caller.ts'
import { AnyId, literals, named, nullable, object, variants } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { ConversationFilter } from '../lists/schemas.ts'
import { OwnerRequest, priorities, SnoozeRequest } from '../schemas.ts'

export const BulkActionId = idType('blk')

export const ConversationAction = named(
  'ConversationAction',
  variants('type', [
    object({ type: Type.Literal('close') }),
    object({ type: Type.Literal('reopen') }),
    object({ type: Type.Literal('assign'), owner: OwnerRequest }),
    object({ type: Type.Literal('addLabel'), labelId: AnyId }),
    object({ type: Type.Literal('removeLabel'), labelId: AnyId }),
    object({ type: Type.Literal('setPriority'), priority: nullable(literals(priorities)) }),
    object({ type: Type.Literal('snooze'), ...SnoozeRequest.properties }),
    object({ type: Type.Literal('wake') }),
    object({ type: Type.Literal('markRead') }),
  ]),
)
export type ConversationAction = Static<typeof ConversationAction>

export const actionScopes: Record<ConversationAction['type'], Scope> = {
  close: 'conversation:close',
  reopen: 'conversation:close',
  assign: 'conversation:assign',
  addLabel: 'conversation:update',
  removeLabel: 'conversation:update',
  setPriority: 'conversation:update',
  snooze: 'conversation:update',
  wake: 'conversation:update',
  markRead: 'conversation:read',
}

export const BulkRequest = object({
  ids: Type.Optional(Type.Array(AnyId, { minItems: 1, maxItems: maxBulkIds })),
  filter: Type.Optional(ConversationFilter),
  action: ConversationAction,
})
export type BulkRequest = Static<typeof BulkRequest>

export const BulkAction = named(
  'BulkAction',
  object({ id: AnyId, action: ConversationAction, ...bulkProperties }),
)

export const itemResults = ['pending', 'changed', 'unchanged', 'failed', 'cancelled'] as const
export const BulkItem = named(
  'BulkItem',
  object({
    conversationId: AnyId,
    result: literals(itemResults, { description: 'cancelled: undone before its turn' }),
    error: {
      ...nullable(Type.String()),
      description: 'the code of the error, such as conversation_not_found',
    },
    undoResult: {
      ...nullable(literals(['restored', 'changed', 'failed'])),
      description: 'changed: the conversation was changed after the action, and undoing left it as it is',
    },
    undoError: nullable(Type.String()),
  }),
)
export type BulkItem = Static<typeof BulkItem>
