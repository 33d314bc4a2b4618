/**
 * The rights that nodes act with: those of the operations of the API that do the same. A node that sends requests to any
 * address needs the role owner or admin.
 */
import type { Scope } from '../../platform/http/caller.ts'
import type { DefinitionNode } from './node-type.ts'

export interface NodeRights {
  scopes: readonly Scope[]
  requiresAdmin?: true
}

const send: NodeRights = { scopes: ['message:create'] }
const changeContact: NodeRights = { scopes: ['contact:update'] }
const assignConversation: NodeRights = { scopes: ['conversation:assign'] }
const none: NodeRights = { scopes: [] }

export const rightsByType: Readonly<Record<string, NodeRights>> = {
  start: none,
  sendMessage: send,
  ask: send,
  menu: send,
  delay: none,
  timeWindow: none,
  waitFor: none,
  branch: none,
  split: none,
  addTag: changeContact,
  removeTag: changeContact,
  setField: changeContact,
  setVariable: none,
  setOptOut: changeContact,
  assign: assignConversation,
  handoff: assignConversation,
  closeConversation: { scopes: ['conversation:close'] },
  note: none,
  http: { scopes: [], requiresAdmin: true },
  emitEvent: { scopes: ['event:create'] },
  callWorkflow: { scopes: ['journey:activate'] },
  jump: none,
  goal: none,
  end: none,
}

export function getNodeRights({ type, data }: Pick<DefinitionNode, 'type' | 'data'>): NodeRights {
  if (type === 'start' && data.defaultReply !== undefined) return send
  return Object.hasOwn(rightsByType, type) ? rightsByType[type]! : none
}
