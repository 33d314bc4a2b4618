/** Chooses the kind of a node to add, by typing. */
import { Picker } from '../../ui/pickers/picker.tsx'
import { findNode } from '../model/definition.ts'
import type { Pending } from '../state/insert-node.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, nameOutput, texts } from '../texts.ts'
import { getNodeGroup, getNodeIcon } from './node-icons.tsx'

/** The kinds of nodes that the workflow may contain, other than the start. */
export function useNodeChoices() {
  const { editor } = useSession()
  return editor.catalogue.nodes
    .filter(({ type, kinds }) => type !== 'start' && kinds.includes(editor.kind))
    .map(({ type, summary }) => ({
      type,
      name: nameNode(type),
      summary,
      group: texts().nodeGroups[getNodeGroup(type)],
      icon: getNodeIcon(type),
    }))
}

interface AddPickerProps extends Pending {
  onChoose: (type: string) => void
  onClose: () => void
}

export function AddPicker({ from, onChoose, onClose }: AddPickerProps) {
  const { editor } = useSession()
  const choices = useNodeChoices()
  const source = from && findNode(editor.get(), from.nodeId)
  const title = source
    ? `${texts().addAfter(nameNode(source.type))} (${nameOutput(from.output)})`
    : texts().addNode
  return (
    <Picker
      title={title}
      choices={choices.map(({ type, name, group, icon }) => ({
        id: type,
        label: name,
        group,
        icon,
        onSelect: () => onChoose(type),
      }))}
      onClose={onClose}
    />
  )
}
