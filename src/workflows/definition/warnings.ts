/** Finds what may not work as intended in a definition that can be published. */

import type { SendableContent } from '../../inboxes/content.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import { findNodeType } from '../nodes/registry.ts'
import type { WorkflowDefinition, WorkflowNode } from '../schemas.ts'
import { getDefinitionPath, getEntryConfig } from './definition.ts'
import { buildPlan } from './plan.ts'

/** Triggers after which the customer has just written, so that every message is allowed. */
const openWindow = new Set(['message_received', 'campaign_replied', 'comment_received'])

/** Returns a warning for each node that has outputs of an undelivered message without an edge. */
export function findWarnings(kind: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  const { triggerConfig } = getEntryConfig(kind, definition)
  if (kind === 'chatbot' || openWindow.has(triggerConfig?.type ?? '')) return []
  const plan = buildPlan(definition)
  return definition.nodes.flatMap((node, i) => {
    const open = listUndelivered(node).filter(output => plan.next(node.id, output) === undefined)
    if (open.length === 0) return []
    const message = `no edge leaves by ${alternatives.format(open)}: a run that cannot deliver its message ends there as "undelivered"`
    return violation(`${getDefinitionPath(kind)}.nodes[${i}]`, 'undelivered_ends_run', message)
  })
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** A template can be sent at any time. */
function listUndelivered({ type, data }: WorkflowNode): readonly string[] {
  const outputs = findNodeType(type)?.undelivered ?? []
  const isTemplate = (data.content as SendableContent | undefined)?.type === 'template'
  return outputs.filter(output => !(isTemplate && output === 'windowClosed'))
}
