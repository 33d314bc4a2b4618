/** The size of nodes, and their arrangement by dagre: along the edges, from left to right. */
import {
  type Catalogue,
  type Definition,
  type DefinitionNode,
  listOutputs,
  type Position,
  type WorkflowKind,
} from './definition.ts'

export const nodeWidth = 240
/** Of the kind and the summary. */
export const headHeight = 64
export const outputHeight = 24
const footHeight = 8
export const grid = 8
const gap = { rank: 88, node: 32 }

/** Returns the size of a node, which follows the number of its outputs only: nothing must be measured. */
export function getNodeSize(node: DefinitionNode, catalogue: Catalogue, kind: WorkflowKind) {
  const count = listOutputs(node, catalogue, kind).length
  return { width: nodeWidth, height: headHeight + (count > 0 ? count * outputHeight + footHeight : 0) }
}

/** Returns positions for all nodes. */
export async function arrange(
  definition: Definition,
  catalogue: Catalogue,
  kind: WorkflowKind,
): Promise<Map<string, Position>> {
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', ranksep: gap.rank, nodesep: gap.node })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of definition.nodes) graph.setNode(node.id, getNodeSize(node, catalogue, kind))
  for (const { source, target } of definition.edges) {
    if (graph.hasNode(source) && graph.hasNode(target)) graph.setEdge(source, target)
  }
  layout(graph)
  return new Map(
    definition.nodes.map(({ id }) => {
      const { x, y, width, height } = graph.node(id)
      return [id, { x: toGrid(x - width / 2), y: toGrid(y - height / 2) }]
    }),
  )
}

const toGrid = (value: number) => Math.round(value / grid) * grid

/** Returns a free place for a node after the given one. */
export function placeAfter(definition: Definition, after: DefinitionNode | undefined): Position {
  const { x, y } = after?.position ?? { x: 0, y: 0 }
  const place = after ? { x: x + nodeWidth + gap.rank, y } : { x, y }
  const isTaken = () =>
    definition.nodes.some(
      ({ position }) =>
        position &&
        Math.abs(position.x - place.x) < nodeWidth &&
        Math.abs(position.y - place.y) < headHeight + outputHeight,
    )
  while (isTaken()) place.y += headHeight + 2 * outputHeight + gap.node
  return place
}
