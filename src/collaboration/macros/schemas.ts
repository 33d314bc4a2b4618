import Type, { type Static } from 'typebox'
import { OwnerRequest, priorities } from '../../conversations/schemas.ts'
import type { Scope } from '../../platform/http/caller.ts'
import {
  AnyId,
  literals,
  Name,
  named,
  nullable,
  object,
  Timestamp,
  variants,
  visibleText,
} from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { newSharingFields, sharingFields } from '../sharing.ts'

export const MacroId = idType('mac')

/** The owner that stands for the user who runs the macro. */
export const ownerMe = 'me'

const ReplyText = visibleText(4_096, { description: 'may have the placeholders of saved replies' })
const maxSnoozeMinutes = 365 * 24 * 60

export const MacroAction = named(
  'MacroAction',
  variants('type', [
    object({ type: Type.Literal('reply'), text: ReplyText }),
    object({ type: Type.Literal('savedReply'), savedReplyId: AnyId }),
    object({
      type: Type.Literal('note'),
      text: visibleText(4_096),
    }),
    object({ type: Type.Literal('addLabel'), labelId: AnyId }),
    object({ type: Type.Literal('removeLabel'), labelId: AnyId }),
    object({ type: Type.Literal('assign'), owner: OwnerRequest }),
    object({ type: Type.Literal('setPriority'), priority: nullable(literals(priorities)) }),
    object({
      type: Type.Literal('snooze'),
      minutes: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxSnoozeMinutes,
          description: 'until the customer writes by default',
        }),
      ),
    }),
    object({ type: Type.Literal('close') }),
  ]),
)
export type MacroAction = Static<typeof MacroAction>

/** The scope that running each action needs. */
export const macroActionScopes: Record<MacroAction['type'], readonly Scope[]> = {
  reply: ['message:create', 'contact:read'],
  savedReply: ['message:create', 'contact:read', 'saved_reply:list'],
  note: ['note:create'],
  addLabel: ['conversation:update'],
  removeLabel: ['conversation:update'],
  assign: ['conversation:assign'],
  setPriority: ['conversation:update'],
  snooze: ['conversation:update'],
  close: ['conversation:close'],
}

const Actions = Type.Array(MacroAction, { minItems: 1, maxItems: 20, description: 'run in this order' })

export const Macro = named(
  'Macro',
  object({
    id: AnyId,
    name: Type.String(),
    actions: Type.Array(MacroAction),
    ...sharingFields,
    revision: Type.Integer(),
    createdBy: AnyId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Macro = Static<typeof Macro>

export const NewMacro = object({ name: Name, actions: Actions, ...newSharingFields })
export type NewMacro = Static<typeof NewMacro>

export const MacroPatch = object({
  name: Type.Optional(Name),
  actions: Type.Optional(Actions),
  ...newSharingFields,
})
export type MacroPatch = Static<typeof MacroPatch>

export const maxMacroConversations = 100

export const MacroRun = object({
  conversationIds: Type.Array(AnyId, { minItems: 1, maxItems: maxMacroConversations, uniqueItems: true }),
})

export const MacroResult = named(
  'MacroResult',
  object({
    conversationId: AnyId,
    result: literals(['done', 'failed']),
    error: {
      ...nullable(
        object({
          action: Type.Integer({ description: 'the number of the action that failed, from 0' }),
          code: Type.String({ description: 'such as conversation_not_found' }),
          message: Type.String(),
        }),
      ),
      description: 'a conversation whose macro failed is as it was before',
    },
  }),
)
export type MacroResult = Static<typeof MacroResult>
