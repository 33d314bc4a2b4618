/** A version made ready to run: versions never change, so they are kept. */
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../platform/db/db.ts'
import { nodeKindOf } from '../nodes/all.ts'
import type { AnyNodeKind, Definition, DefinitionNode } from '../nodes/kind.ts'
import { findDefinition } from '../store/engine-versions.ts'

export interface PlanNode extends DefinitionNode {
  kind: AnyNodeKind
}

export interface Plan {
  startId: string
  nodes: ReadonlyMap<string, PlanNode>
  /** Where an output leads; nothing where the run ends. */
  next(nodeId: string, output: string): string | undefined
}

const plans = new LRUCache<string, Plan>({ max: 500 })

export async function planOf(on: Queryable, tenantId: string, versionId: string): Promise<Plan> {
  const key = `${tenantId} ${versionId}`
  let plan = plans.get(key)
  if (!plan) {
    plan = makePlan(await findDefinition(on, tenantId, versionId))
    plans.set(key, plan)
  }
  return plan
}

export function makePlan(definition: Definition): Plan {
  const nodes = new Map(
    definition.nodes.flatMap(node => {
      const kind = nodeKindOf(node.type)
      return kind ? [[node.id, { ...node, kind }] as const] : []
    }),
  )
  const ways = new Map<string, string>()
  for (const { source, target, sourceHandle } of definition.edges) {
    const node = nodes.get(source)
    const output = sourceHandle ?? node?.kind.outputs(node.data as never)[0]?.name
    if (output !== undefined) ways.set(`${source}\n${output}`, target)
  }
  return {
    startId: definition.nodes.find(node => node.type === 'start')!.id,
    nodes,
    next: (nodeId, output) => ways.get(`${nodeId}\n${output}`),
  }
}
