/** The menu of a row: where the pointer is after a right click, and at the row after the menu key or its button. */
import { useRef, useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import { SelectIcon } from '../../ui/controls/icons.tsx'
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx'
import { ConversationPicker, type PickerKind } from '../actions/conversation-pickers.tsx'
import { listActions } from '../actions/listed-actions.ts'
import { useConversation } from '../state/conversations.ts'
import styles from './list.module.css'

export interface RowMenuProps {
  conversationId: string
  x: number
  y: number
  onSelect: () => void
  onClose: () => void
}

export function RowMenu({ conversationId, x, y, onSelect, onClose }: RowMenuProps) {
  const conversation = useConversation(conversationId)
  const [picker, setPicker] = useState<PickerKind>()
  const isPicking = useRef(false)
  if (!conversation) return null
  const pick = (kind: PickerKind) => {
    isPicking.current = true
    setPicker(kind)
  }
  // Without keys: those of the list act on the open conversation.
  const items: MenuItem[] = [
    ...listActions(conversation, pick).map(({ id, label, icon, run }) => ({
      id,
      label,
      icon,
      onSelect: run,
    })),
    { id: 'select', label: t.toggleSelection, icon: SelectIcon, group: true, onSelect },
  ]
  if (picker) return <ConversationPicker kind={picker} conversation={conversation} onClose={onClose} />
  return (
    <Menu
      items={items}
      label={t.actionsOf(conversation.name)}
      open
      onOpenChange={() => isPicking.current || onClose()}
    >
      <button
        type="button"
        className={styles.menuPoint}
        aria-label={t.actionsOf(conversation.name)}
        tabIndex={-1}
        style={{ insetInlineStart: x, insetBlockStart: y }}
      />
    </Menu>
  )
}
