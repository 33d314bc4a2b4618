/** The node that an arrow key leads to: along the edges to the left and right, between siblings up and down. */
import { type Definition, type DefinitionNode, indexDefinition } from './definition.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

const byHeight = (a: DefinitionNode, b: DefinitionNode) => (a.position?.y ?? 0) - (b.position?.y ?? 0)

export function findNeighbour(definition: Definition, id: string, direction: Direction): string | undefined {
  const { nodes, leaving, entering } = indexDefinition(definition)
  const toNodes = (ids: readonly string[]) =>
    [...new Set(ids)].flatMap(item => nodes.get(item) ?? []).sort(byHeight)
  if (direction === 'right') return toNodes((leaving.get(id) ?? []).map(edge => edge.target))[0]?.id
  const sources = (entering.get(id) ?? []).map(edge => edge.source)
  if (direction === 'left') return toNodes(sources)[0]?.id
  const siblings = toNodes(sources.flatMap(source => (leaving.get(source) ?? []).map(edge => edge.target)))
  const position = siblings.findIndex(node => node.id === id)
  const sibling = siblings[position + (direction === 'up' ? -1 : 1)]
  return sibling?.id ?? findVertically(definition, nodes.get(id), direction)
}

/** The nearest node above or below. */
function findVertically(
  definition: Definition,
  from: DefinitionNode | undefined,
  direction: 'up' | 'down',
): string | undefined {
  if (!from?.position) return undefined
  const { x, y } = from.position
  const sign = direction === 'up' ? -1 : 1
  const distance = ({ position }: DefinitionNode) => {
    const [dx, dy] = [Math.abs((position?.x ?? 0) - x), sign * ((position?.y ?? 0) - y)]
    return dy > 0 ? dy + 2 * dx : Number.POSITIVE_INFINITY
  }
  const nearest = definition.nodes.reduce(
    (best, node) => (distance(node) < distance(best) ? node : best),
    from,
  )
  return nearest === from ? undefined : nearest.id
}
