/** A version prepared for execution. Versions never change, so plans are cached. */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../../platform/caches.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { ExitCase } from '../nodes/flow/start.ts'
import type { AnyNodeType, Definition, DefinitionNode } from '../nodes/node-type.ts'
import { findNodeType } from '../nodes/registry.ts'
import { getDefinition } from '../store/active-workflows.ts'

export interface PlanNode extends DefinitionNode {
  nodeType: AnyNodeType
}

export interface Plan {
  startId: string
  nodes: ReadonlyMap<string, PlanNode>
  /** Returns the node that an output leads to, or undefined where the run ends. */
  next(nodeId: string, output: string): string | undefined
}

const planCache = defineCache(() => new LRUCache<string, Plan>({ max: 500 }))

export async function getPlan(tx: Tx, tenantId: string, versionId: string): Promise<Plan> {
  const cache = planCache(tx)
  const key = `${tenantId} ${versionId}`
  let plan = cache.get(key)
  if (!plan) {
    plan = buildPlan(await getDefinition(tx, tenantId, versionId))
    cache.set(key, plan)
  }
  return plan
}

export type { ExitCase }

/** Returns the events and conditions that end a run wherever it is. */
export function listExits({ startId, nodes }: Plan): readonly ExitCase[] {
  return (nodes.get(startId)?.data.exitWhen as ExitCase[] | undefined) ?? []
}

/** Returns whether the bot replies to messages that match no trigger. */
export function hasFallback({ startId, nodes, next }: Plan): boolean {
  return nodes.get(startId)?.data.defaultReply !== undefined || next(startId, 'fallback') !== undefined
}

/** Returns whether the bot may start again in a session in which its run has ended. */
export function canStartAgain({ startId, nodes }: Plan): boolean {
  const trigger = nodes.get(startId)?.data.triggerConfig as { type?: string } | undefined
  return trigger?.type !== 'conversation_started'
}

export function buildPlan(definition: Definition): Plan {
  const nodes = new Map(
    definition.nodes.flatMap(node => {
      const nodeType = findNodeType(node.type)
      return nodeType ? [[node.id, { ...node, nodeType }] as const] : []
    }),
  )
  const targets = new Map<string, string>()
  for (const { source, target, sourceHandle } of definition.edges) {
    const node = nodes.get(source)
    const output = sourceHandle ?? node?.nodeType.outputs(node.data as never)[0]?.name
    if (output !== undefined) targets.set(`${source}\n${output}`, target)
  }
  return {
    startId: definition.nodes.find(node => node.type === 'start')!.id,
    nodes,
    next: (nodeId, output) => targets.get(`${nodeId}\n${output}`),
  }
}
