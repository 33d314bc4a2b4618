/**
 * Nodes and edges as React Flow draws them. Sizes and places of handles are computed, so that nothing is measured; elements
 * of unchanged nodes stay the same objects, so that only changed ones are drawn again.
 */
import { type Edge, type Node, Position } from '@xyflow/react'
import {
  type Definition,
  type DefinitionEdge,
  type DefinitionNode,
  getOutputName,
  indexDefinition,
  listOutputs,
  type Output,
  type Position as Point,
} from '../model/definition.ts'
import type { Rules } from '../model/edits.ts'
import { getNodeSize, headHeight, nodeWidth, outputHeight } from '../model/layout.ts'
import type { Highlight } from '../panel-props.ts'
import type { Selection } from '../state/editor.ts'

export type FlowNode = Node<{ node: DefinitionNode; outputs: readonly Output[] }, 'card'>

const flowNodes = new WeakMap<DefinitionNode, FlowNode[]>()

/** A node has two elements at most that are kept: selected and not. */
function toFlowNode(node: DefinitionNode, rules: Rules, selected: boolean): FlowNode {
  const known = flowNodes.get(node) ?? []
  flowNodes.set(node, known)
  const kept = known[Number(selected)]
  if (kept) return kept
  const outputs = listOutputs(node, rules.catalogue, rules.kind)
  const size = getNodeSize(node, rules.catalogue, rules.kind)
  const isStart = node.type === 'start'
  const handle = { width: 1, height: 1 }
  const created: FlowNode = {
    id: node.id,
    type: 'card',
    position: node.position ?? { x: 0, y: 0 },
    data: { node, outputs },
    ...size,
    measured: size,
    selected,
    handles: [
      ...(isStart
        ? []
        : [
            {
              ...handle,
              id: 'in',
              type: 'target' as const,
              position: Position.Left,
              x: 0,
              y: headHeight / 2,
            },
          ]),
      ...outputs.map(({ name }, i) => ({
        ...handle,
        id: name,
        type: 'source' as const,
        position: Position.Right,
        x: nodeWidth,
        y: headHeight + (i + 0.5) * outputHeight,
      })),
    ],
  }
  known[Number(selected)] = created
  return created
}

export function toFlowNodes(
  { nodes }: Definition,
  rules: Rules,
  selection: Selection,
  dragged: ReadonlyMap<string, Point> | undefined,
): FlowNode[] {
  return nodes.map(node => {
    const element = toFlowNode(node, rules, selection.nodes.has(node.id))
    const position = dragged?.get(node.id)
    return position ? { ...element, position, dragging: true } : element
  })
}

interface EdgeExtras {
  selection: Selection
  highlight: Highlight | null
}

const flowEdges = new WeakMap<DefinitionEdge, Edge>()

export function toFlowEdges(definition: Definition, rules: Rules, extras: EdgeExtras): Edge[] {
  const { nodes } = indexDefinition(definition)
  const emphasised = new Set(extras.highlight?.edgeIds)
  return definition.edges.flatMap(edge => {
    const source = nodes.get(edge.source)
    if (!source || !nodes.has(edge.target)) return []
    const sourceHandle = getOutputName(edge, listOutputs(source, rules.catalogue, rules.kind))
    const fresh: Edge = {
      id: edge.id,
      source: edge.source,
      target: edge.target,
      sourceHandle,
      targetHandle: 'in',
      selected: extras.selection.edges.has(edge.id),
      ...(emphasised.has(edge.id) ? { className: 'emphasised', zIndex: 1 } : {}),
    }
    const kept = flowEdges.get(edge)
    if (kept && isSame(kept, fresh)) return [kept]
    flowEdges.set(edge, fresh)
    return [fresh]
  })
}

const isSame = (a: Edge, b: Edge) =>
  a.selected === b.selected && a.className === b.className && a.sourceHandle === b.sourceHandle
