/** Lists the differences between the two sides of a conflict: settings of the node, and the nodes that its outputs lead to. */
import { type Definition, type DefinitionNode, findNode, indexDefinition } from './definition.ts'
import { type Conflict, isEqual } from './merge.ts'

export interface SettingDifference {
  /** Names of properties and positions in lists, outermost first. */
  path: readonly string[]
  mine: unknown
  theirs: unknown
}

export interface OutputDifference {
  /** Empty: the first output. */
  output: string
  mine: DefinitionNode | undefined
  theirs: DefinitionNode | undefined
}

const isParent = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function compareValues(mine: unknown, theirs: unknown, path: readonly string[]): SettingDifference[] {
  if (isEqual(mine, theirs)) return []
  if (!isParent(mine) || !isParent(theirs) || Array.isArray(mine) !== Array.isArray(theirs))
    return [{ path, mine, theirs }]
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)])
  return [...names].flatMap(name => compareValues(mine[name], theirs[name], [...path, name]))
}

/** Returns none if one side has deleted the node. */
export function compareSettings({ mine, theirs }: Conflict): SettingDifference[] {
  return mine && theirs ? compareValues(mine.data, theirs.data, []) : []
}

function listTargets(definition: Definition, nodeId: string): Map<string, DefinitionNode | undefined> {
  const edges = indexDefinition(definition).leaving.get(nodeId) ?? []
  return new Map(edges.map(({ sourceHandle, target }) => [sourceHandle ?? '', findNode(definition, target)]))
}

export function compareOutputs(
  { nodeId, mine, theirs }: Conflict,
  own: Definition,
  other: Definition,
): OutputDifference[] {
  if (!mine || !theirs) return []
  const [left, right] = [listTargets(own, nodeId), listTargets(other, nodeId)]
  return [...new Set([...left.keys(), ...right.keys()])]
    .map(output => ({ output, mine: left.get(output), theirs: right.get(output) }))
    .filter(({ mine: ours, theirs: others }) => ours?.id !== others?.id)
}
