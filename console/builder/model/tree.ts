/**
 * The definition as a tree of steps. The first output of most nodes continues the path; other outputs, and all outputs of
 * nodes that distribute runs, begin paths below them. A node that several paths reach is shown once.
 */
import {
  type Definition,
  type DefinitionNode,
  findNodeType,
  findStart,
  getOutputName,
  indexDefinition,
  listOutputs,
  type Output,
} from './definition.ts'
import type { Rules } from './edits.ts'

export interface Branch {
  output: Output
  edgeId: string | undefined
  /** The steps of the path, one after the other. */
  steps: Step[]
  /** The node, shown elsewhere, at which the path continues. */
  continuesAt: DefinitionNode | undefined
}

export interface Step {
  node: DefinitionNode
  outputs: readonly Output[]
  /** Paths below the step. */
  branches: Branch[]
  /** The output that continues the path of the step; its `steps` follow the step in the path. */
  main: Branch | undefined
}

export interface StepTree {
  steps: Step[]
  /** Paths that no edge leads to. */
  loose: Step[][]
}

export function buildTree(definition: Definition, rules: Rules): StepTree {
  const { nodes, leaving, entering } = indexDefinition(definition)
  const shown = new Set<string>()

  function buildPath(node: DefinitionNode): Step[] {
    shown.add(node.id)
    const outputs = listOutputs(node, rules.catalogue, rules.kind)
    const isForked = findNodeType(rules.catalogue, node.type)?.outputsFollowData === true
    const all = outputs.map(output => buildBranch(node, output, outputs))
    const main = isForked ? undefined : all[0]
    const following = main?.steps ?? []
    const others = isForked ? all : all.slice(1).filter(({ edgeId }) => edgeId !== undefined)
    return [{ node, outputs, branches: others, main: main && { ...main, steps: [] } }, ...following]
  }

  function buildBranch(node: DefinitionNode, output: Output, outputs: readonly Output[]): Branch {
    const edge = leaving.get(node.id)?.find(item => getOutputName(item, outputs) === output.name)
    const target = edge && nodes.get(edge.target)
    const isShown = target !== undefined && shown.has(target.id)
    const steps = target && !isShown ? buildPath(target) : []
    return { output, edgeId: edge?.id, steps, continuesAt: isShown ? target : undefined }
  }

  const start = findStart(definition)
  const steps = start ? buildPath(start) : []
  const loose: Step[][] = []
  // Nodes without incoming edges come first. Nodes that are not reached from them are in loops.
  for (const isBeginning of [true, false])
    for (const node of definition.nodes)
      if (!shown.has(node.id) && !(isBeginning && entering.has(node.id))) loose.push(buildPath(node))
  return { steps, loose }
}
