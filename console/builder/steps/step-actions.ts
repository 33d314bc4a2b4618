/** The actions on a step: add after an output, connect, disconnect, move, duplicate, copy, delete. */
import { keysOf } from '../../actions/shortcuts.ts'
import {
  ArrowDownIcon,
  ArrowUpIcon,
  CopyIcon,
  LinkIcon,
  PlayIcon,
  PlusIcon,
  TrashIcon,
} from '../../ui/controls/icons.tsx'
import type { MenuItem } from '../../ui/overlays/menu.tsx'
import { copyText, showToast } from '../../ui/overlays/toasts.ts'
import { copyNodes } from '../model/clipboard.ts'
import { findEdge, findNode, listOutputs } from '../model/definition.ts'
import { connect, removeEdges, removeNodes } from '../model/edits.ts'
import { canMove, moveStep } from '../model/move-step.ts'
import type { Step } from '../model/tree.ts'
import type { Editor } from '../state/editor.ts'
import { findFreeOutput } from '../state/insert-node.ts'
import { nameOutput, texts } from '../texts.ts'
import { duplicateSelection, paste } from '../use-edit-actions.ts'

/** An output that a new step, or an edge to a known one, follows. */
export interface Place {
  nodeId: string
  output: string
}

export interface StepHandlers {
  onAdd: (place: Place) => void
  onConnect: (place: Place) => void
  onSimulate: (nodeId: string) => void
  /** Focuses the step of the node. */
  focus: (nodeId: string) => void
}

export function listStepActions(editor: Editor, step: Step, handlers: StepHandlers): MenuItem[] {
  return [...listOutputActions(editor, step, handlers), ...listNodeActions(editor, step, handlers)]
}

function listOutputActions(editor: Editor, { node, outputs }: Step, handlers: StepHandlers): MenuItem[] {
  return outputs.flatMap(({ name, title }, position) => {
    const label = title ?? nameOutput(name)
    const place = { nodeId: node.id, output: name }
    const edge = findEdge(editor.get(), node.id, name, outputs)
    return [
      {
        id: `add ${name}`,
        label: texts().addAt(label),
        icon: PlusIcon,
        ...(position > 0 ? { group: true as const } : {}),
        onSelect: () => handlers.onAdd(place),
      },
      {
        id: `connect ${name}`,
        label: texts().connectTo(label),
        icon: LinkIcon,
        onSelect: () => handlers.onConnect(place),
      },
      ...(edge
        ? [
            {
              id: `disconnect ${name}`,
              label: texts().disconnect(label),
              onSelect: () => editor.edit(before => removeEdges(before, new Set([edge.id]))),
            },
          ]
        : []),
    ]
  })
}

function findFollowing(editor: Editor, nodeId: string, output: string | undefined): string | undefined {
  const node = findNode(editor.get(), nodeId)
  if (!node || output === undefined) return undefined
  const outputs = listOutputs(node, editor.rules.catalogue, editor.rules.kind)
  return findEdge(editor.get(), nodeId, output, outputs)?.target
}

/**
 * Adds the nodes of the clipboard after the step; what followed there follows the last of them. Browsers ask the user
 * before a page may read the clipboard.
 */
async function pasteAfter(editor: Editor, nodeId: string): Promise<void> {
  try {
    const text = await navigator.clipboard.readText()
    const output = findFreeOutput(editor, nodeId)
    editor.select([nodeId])
    const followed = findFollowing(editor, nodeId, output)
    const ids = paste(editor, text)
    const [first, last] = [ids[0], ids.at(-1)]
    if (first === undefined || last === undefined) return void showToast({ text: texts().nothingToPaste })
    const lastOutput = findFreeOutput(editor, last)
    editor.edit(before => {
      if (output === undefined) return before
      const joined = connect(before, { nodeId, output }, first, editor.rules)
      return followed === undefined || lastOutput === undefined
        ? joined
        : connect(joined, { nodeId: last, output: lastOutput }, followed, editor.rules)
    })
    showToast({ text: texts().pasted(ids.length) }, 3_000)
  } catch {
    showToast({ text: texts().pasteFailed, tone: 'danger' })
  }
}

function listNodeActions(editor: Editor, { node }: Step, handlers: StepHandlers): MenuItem[] {
  if (node.type === 'start') return []
  const definition = editor.get()
  const move = (by: 'up' | 'down') => {
    editor.edit(before => moveStep(before, node.id, by, editor.rules))
    setTimeout(() => handlers.focus(node.id))
  }
  return [
    {
      id: 'up',
      label: texts().moveStepUp,
      icon: ArrowUpIcon,
      group: true,
      disabled: !canMove(definition, node.id, 'up', editor.rules),
      onSelect: () => move('up'),
    },
    {
      id: 'down',
      label: texts().moveStepDown,
      icon: ArrowDownIcon,
      disabled: !canMove(definition, node.id, 'down', editor.rules),
      onSelect: () => move('down'),
    },
    {
      id: 'duplicate',
      label: texts().duplicate,
      icon: CopyIcon,
      keys: keysOf('builder-duplicate'),
      onSelect: () => {
        editor.select([node.id])
        duplicateSelection(editor)
      },
    },
    {
      id: 'copy',
      label: texts().copyStep,
      icon: CopyIcon,
      keys: 'mod+c',
      onSelect: () => void copyText(copyNodes(definition, new Set([node.id]))!, texts().copied),
    },
    {
      id: 'paste',
      label: texts().pasteAfter,
      onSelect: () => void pasteAfter(editor, node.id),
    },
    {
      id: 'simulate',
      label: texts().simulateFrom,
      icon: PlayIcon,
      onSelect: () => handlers.onSimulate(node.id),
    },
    {
      id: 'delete',
      label: texts().deleteStep,
      icon: TrashIcon,
      keys: keysOf('builder-delete'),
      danger: true,
      onSelect: () => editor.edit(before => removeNodes(before, new Set([node.id]), editor.rules)),
    },
  ]
}
