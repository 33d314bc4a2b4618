/** A read-only drawing of a definition, with marks on nodes and edges: the changes of a version, or the path of a run. */
import { useEffect, useState } from 'react'
import { getNodeIcon } from '../canvas/node-icons.tsx'
import {
  type Catalogue,
  type Definition,
  type DefinitionEdge,
  type DefinitionNode,
  getOutputName,
  listOutputs,
  type Output,
  type Position,
  type WorkflowKind,
} from '../model/definition.ts'
import { arrange, getNodeSize, headHeight, nodeWidth, outputHeight } from '../model/layout.ts'
import { describeNode } from '../state/names.ts'
import { nameNode, nameOutput } from '../texts.ts'
import styles from './drawing.module.css'

export type MarkKind = 'added' | 'removed' | 'changed' | 'path' | 'current'

export interface Mark {
  kind: MarkKind
  /** The same as the colour says, in a word or number. */
  label: string
}

interface DrawingProps {
  definition: Definition
  catalogue: Catalogue
  kind: WorkflowKind
  label: string
  nodes: ReadonlyMap<string, Mark>
  edges: ReadonlyMap<string, Mark>
  /** Scrolled into view when it changes. */
  focus?: string | undefined
}

type Places = ReadonlyMap<string, Position>

/** Returns where the nodes are; those of a definition without positions are arranged. */
function usePlaces(definition: Definition, catalogue: Catalogue, kind: WorkflowKind): Places | undefined {
  const [arranged, setArranged] = useState<{ of: Definition; places: Places }>()
  const isPlaced = definition.nodes.every(({ position }) => position)
  useEffect(() => {
    if (isPlaced) return undefined
    let isCurrent = true
    void arrange(definition, catalogue, kind).then(
      places => isCurrent && setArranged({ of: definition, places }),
    )
    return () => {
      isCurrent = false
    }
  }, [definition, catalogue, kind, isPlaced])
  if (isPlaced) return new Map(definition.nodes.map(({ id, position }) => [id, position!]))
  return arranged?.of === definition ? arranged.places : undefined
}

const margin = 24
/** The drawing is smaller than the canvas: it is read, not edited. */
const scale = 0.75

export function Drawing(props: DrawingProps) {
  const { definition, catalogue, kind, label, nodes, edges, focus } = props
  const places = usePlaces(definition, catalogue, kind)
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!frame || !focus) return
    const found = frame.querySelector(`[data-node="${CSS.escape(focus)}"]`)
    if (!found) return
    // Scrolls the drawing only: the page around it stays where it is.
    const [inner, outer] = [found.getBoundingClientRect(), frame.getBoundingClientRect()]
    frame.scrollBy(
      inner.left + inner.width / 2 - (outer.left + outer.width / 2),
      inner.top + inner.height / 2 - (outer.top + outer.height / 2),
    )
  }, [frame, focus])
  if (!places) return null
  const sizes = definition.nodes.map(node => ({
    ...places.get(node.id)!,
    ...getNodeSize(node, catalogue, kind),
  }))
  const left = Math.min(0, ...sizes.map(({ x }) => x)) - margin
  const top = Math.min(0, ...sizes.map(({ y }) => y)) - margin
  const width = Math.max(nodeWidth, ...sizes.map(({ x, width: w }) => x + w)) + margin - left
  const height = Math.max(headHeight, ...sizes.map(({ y, height: h }) => y + h)) + margin - top
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section ref={setFrame} className={styles.frame} tabIndex={0} aria-label={label}>
      <svg
        width={width * scale}
        height={height * scale}
        viewBox={`${left} ${top} ${width} ${height}`}
        aria-hidden="true"
      >
        {definition.edges.map(edge => (
          <EdgeLine key={edge.id} edge={edge} places={places} mark={edges.get(edge.id)} {...props} />
        ))}
        {definition.nodes.map((node, i) => (
          <NodeBox
            key={node.id}
            node={node}
            definition={definition}
            outputs={listOutputs(node, catalogue, kind)}
            box={sizes[i]!}
            mark={nodes.get(node.id)}
          />
        ))}
      </svg>
    </section>
  )
}

interface EdgeLineProps extends Pick<DrawingProps, 'definition' | 'catalogue' | 'kind'> {
  edge: DefinitionEdge
  places: Places
  mark: Mark | undefined
}

function EdgeLine({ edge, places, mark, definition, catalogue, kind }: EdgeLineProps) {
  const [from, to] = [places.get(edge.source), places.get(edge.target)]
  const source = definition.nodes.find(({ id }) => id === edge.source)
  if (!from || !to || !source) return null
  const outputs = listOutputs(source, catalogue, kind)
  const name = getOutputName(edge, outputs)
  const index = Math.max(
    0,
    outputs.findIndex(output => output.name === name),
  )
  const start = { x: from.x + nodeWidth, y: from.y + headHeight + (index + 0.5) * outputHeight }
  const end = { x: to.x, y: to.y + headHeight / 2 }
  const bend = Math.max(40, Math.abs(end.x - start.x) / 2)
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`
  return (
    <g data-mark={mark?.kind}>
      <path className={styles.edge} d={path} />
      {mark && (
        <text className={styles.edgeLabel} x={(start.x + end.x) / 2} y={(start.y + end.y) / 2 - 6}>
          {mark.label}
        </text>
      )}
    </g>
  )
}

interface NodeBoxProps extends Pick<DrawingProps, 'definition'> {
  node: DefinitionNode
  outputs: readonly Output[]
  box: Position & { width: number; height: number }
  mark: Mark | undefined
}

function NodeBox({ node, definition, outputs, box, mark }: NodeBoxProps) {
  const Glyph = getNodeIcon(node.type)
  return (
    <foreignObject x={box.x} y={box.y} width={box.width} height={box.height}>
      <div className={styles.node} data-node={node.id} data-mark={mark?.kind}>
        <div className={styles.head}>
          <Glyph />
          <strong>{nameNode(node.type)}</strong>
        </div>
        <span className={styles.summary}>{describeNode(node, definition)}</span>
        {mark && <span className={styles.mark}>{mark.label}</span>}
        <div className={styles.outputs}>
          {outputs.map(({ name, title }) => (
            <span key={name} className={styles.output}>
              {title ?? nameOutput(name)}
            </span>
          ))}
        </div>
      </div>
    </foreignObject>
  )
}
