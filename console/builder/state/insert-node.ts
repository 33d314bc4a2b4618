/** Adds a node after an output, or at a place of the canvas, and selects it. */
import { getSignedIn } from '../../api/session.ts'
import { showToast } from '../../ui/overlays/toasts.ts'
import { findEdge, findNode, listOutputs, maxNodes, type Position } from '../model/definition.ts'
import { addAfter, addNode } from '../model/edits.ts'
import { placeAfter } from '../model/layout.ts'
import { createNode } from '../model/new-node.ts'
import { texts } from '../texts.ts'
import type { Editor } from './editor.ts'

/** Where the node that is being chosen will be added. */
export interface Pending {
  from?: { nodeId: string; output: string } | undefined
  at?: Position | undefined
}

/** The first output without an edge, otherwise the first. */
export function findFreeOutput(editor: Editor, nodeId: string): string | undefined {
  const node = findNode(editor.get(), nodeId)
  if (!node) return undefined
  const outputs = listOutputs(node, editor.rules.catalogue, editor.rules.kind)
  const free = outputs.find(({ name }) => !findEdge(editor.get(), nodeId, name, outputs))
  return (free ?? outputs[0])?.name
}

/** Adds a node and selects it. */
export function insertNode(editor: Editor, type: string, { from, at }: Pending): string | undefined {
  const definition = editor.get()
  if (definition.nodes.length >= maxNodes) {
    showToast({ text: texts().tooMany(maxNodes), tone: 'danger' })
    return undefined
  }
  const place = at ?? placeAfter(definition, from && findNode(definition, from.nodeId))
  const node = createNode(editor.catalogue, type, place, getSignedIn().workspace.timezone)
  editor.edit(before => (from ? addAfter(before, from, node, editor.rules) : addNode(before, node)))
  editor.select([node.id])
  return node.id
}
