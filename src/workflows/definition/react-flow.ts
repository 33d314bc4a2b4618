/**
 * Properties that React Flow gives nodes, edges and the canvas. They are stored with a definition, so that an editor can
 * save what it shows, and have no effect on runs.
 */
import Type, { type TOptional, type TUnknown } from 'typebox'

const nodeProperties = [
  'positionAbsolute',
  'width',
  'height',
  'initialWidth',
  'initialHeight',
  'measured',
  'handles',
  'selected',
  'dragging',
  'resizing',
  'hidden',
  'draggable',
  'selectable',
  'connectable',
  'deletable',
  'focusable',
  'dragHandle',
  'sourcePosition',
  'targetPosition',
  'parentId',
  'parentNode',
  'extent',
  'expandParent',
  'origin',
  'zIndex',
  'style',
  'className',
  'ariaLabel',
  'ariaRole',
  'domAttributes',
] as const

const edgeProperties = [
  'type',
  'animated',
  'hidden',
  'selected',
  'selectable',
  'deletable',
  'focusable',
  'reconnectable',
  'updatable',
  'data',
  'label',
  'labelStyle',
  'labelShowBg',
  'labelBgStyle',
  'labelBgPadding',
  'labelBgBorderRadius',
  'markerStart',
  'markerEnd',
  'pathOptions',
  'interactionWidth',
  'zIndex',
  'style',
  'className',
  'ariaLabel',
  'ariaRole',
  'domAttributes',
] as const

function unknownProperties<N extends string>(names: readonly N[]): Record<N, TOptional<TUnknown>> {
  const schema = Type.Optional(Type.Unknown({ description: "React Flow's; stored, without effect" }))
  return Object.fromEntries(names.map(name => [name, schema])) as Record<N, TOptional<TUnknown>>
}

export const nodeDisplayProperties = unknownProperties(nodeProperties)
export const edgeDisplayProperties = unknownProperties(edgeProperties)

const displayed = new Set<string>([...nodeProperties, 'position'])
const displayedEdge = new Set<string>(edgeProperties)

/** Returns whether a changed path, such as `position.x`, has no effect on runs. */
export function isDisplayPath(kind: 'node' | 'edge', path: string): boolean {
  const [name] = path.split('.')
  return (kind === 'node' ? displayed : displayedEdge).has(name!)
}
