/** A version made ready to run: versions never change, so they are kept. */
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../../platform/db/db.ts'
import type { AnyNodeType, Definition, DefinitionNode } from '../../nodes/node-type.ts'
import { findNodeType } from '../../nodes/registry.ts'
import { findDefinition } from '../../store/active-workflows.ts'

export interface PlanNode extends DefinitionNode {
  kind: AnyNodeType
}

export interface Plan {
  startId: string
  nodes: ReadonlyMap<string, PlanNode>
  /** Where an output leads; nothing where the run ends. */
  next(nodeId: string, output: string): string | undefined
}

const cache = new LRUCache<string, Plan>({ max: 500 })

export async function getPlan(on: Queryable, tenantId: string, versionId: string): Promise<Plan> {
  const key = `${tenantId} ${versionId}`
  let plan = cache.get(key)
  if (!plan) {
    plan = buildPlan(await findDefinition(on, tenantId, versionId))
    cache.set(key, plan)
  }
  return plan
}

export function buildPlan(definition: Definition): Plan {
  const nodes = new Map(
    definition.nodes.flatMap(node => {
      const kind = findNodeType(node.type)
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
