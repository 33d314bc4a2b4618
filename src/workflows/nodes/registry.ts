import { addTag } from './add-tag.ts'
import { ask } from './ask.ts'
import { assign } from './assign.ts'
import { branch } from './branch.ts'
import { callWorkflow } from './call-workflow.ts'
import { closeConversation } from './close-conversation.ts'
import { delay } from './delay.ts'
import { emitEvent } from './emit-event.ts'
import { end } from './end.ts'
import { goal } from './goal.ts'
import { handoff } from './handoff.ts'
import { http } from './http.ts'
import { jump } from './jump.ts'
import { menu } from './menu.ts'
import type { AnyNodeType } from './node-type.ts'
import { note } from './note.ts'
import { removeTag } from './remove-tag.ts'
import { sendMessage } from './send-message.ts'
import { setField } from './set-field.ts'
import { setOptOut } from './set-opt-out.ts'
import { setVariable } from './set-variable.ts'
import { split } from './split.ts'
import { start } from './start.ts'
import { timeWindow } from './time-window.ts'
import { waitFor } from './wait-for.ts'

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
