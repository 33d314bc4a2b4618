import { addTag } from './actions/add-tag.ts'
import { assign } from './actions/assign.ts'
import { closeConversation } from './actions/close-conversation.ts'
import { emitEvent } from './actions/emit-event.ts'
import { handoff } from './actions/handoff.ts'
import { http } from './actions/http.ts'
import { note } from './actions/note.ts'
import { removeTag } from './actions/remove-tag.ts'
import { setField } from './actions/set-field.ts'
import { setOptOut } from './actions/set-opt-out.ts'
import { setVariable } from './actions/set-variable.ts'
import { branch } from './flow/branch.ts'
import { callWorkflow } from './flow/call-workflow.ts'
import { delay } from './flow/delay.ts'
import { end } from './flow/end.ts'
import { goal } from './flow/goal.ts'
import { jump } from './flow/jump.ts'
import { split } from './flow/split.ts'
import { start } from './flow/start.ts'
import { timeWindow } from './flow/time-window.ts'
import { waitFor } from './flow/wait-for.ts'
import { ask } from './messages/ask.ts'
import { menu } from './messages/menu.ts'
import { sendMessage } from './messages/send-message.ts'
import type { AnyNodeType } from './node-type.ts'

export const nodeTypes: readonly AnyNodeType[] = [
  start,
  sendMessage,
  ask,
  menu,
  delay,
  timeWindow,
  waitFor,
  branch,
  split,
  addTag,
  removeTag,
  setField,
  setVariable,
  setOptOut,
  assign,
  handoff,
  closeConversation,
  note,
  http,
  emitEvent,
  callWorkflow,
  jump,
  goal,
  end,
]

const byType = new Map(nodeTypes.map(kind => [kind.type, kind]))

export function findNodeType(type: string): AnyNodeType | undefined {
  return byType.get(type)
}
