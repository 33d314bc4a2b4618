/** The actions of the open conversation by button, menu, key and palette. */
import { type ComponentProps, useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { keysOf } from '../../actions/shortcuts.ts'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { InfoIcon, MoreIcon, PlayIcon } from '../../ui/controls/icons.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { useSimulated } from '../sandbox/simulated.ts'
import type { Conversation } from '../state/views.ts'
import type { ConversationPicker as Picker, PickerKind } from './conversation-pickers.tsx'
import { type Listed, listActions, toActions } from './listed-actions.ts'

const ConversationPicker = lazyPart<ComponentProps<typeof Picker>>(
  async () => (await import('../later.ts')).ConversationPicker,
)

interface ConversationMenuProps {
  conversation: Conversation
  onToggleDetails: () => void
  /** Shows the sandbox, which plays the customer. */
  onPlay: () => void
}

export function ConversationMenu({ conversation, onToggleDetails, onPlay }: ConversationMenuProps) {
  const [picker, setPicker] = useState<PickerKind>()
  const canPlay = useSimulated().includes(conversation.channel)
  const screen: Listed[] = [
    { id: 'details', label: t.details, icon: InfoIcon, run: onToggleDetails },
    { id: 'sandbox', label: t.playTheCustomer, icon: PlayIcon, isShown: canPlay, run: onPlay },
  ]
  const actions = [...listActions(conversation, setPicker), ...toActions(screen)]
  useActions(actions)
  const items = actions.map(({ id, label, icon, run }) => ({
    id,
    label,
    icon,
    keys: keysOf(id),
    onSelect: run,
  }))
  return (
    <>
      <Menu items={items} align="end" label={t.moreActions}>
        <IconButton icon={MoreIcon} label={t.moreActions} />
      </Menu>
      {picker && (
        <ConversationPicker kind={picker} conversation={conversation} onClose={() => setPicker(undefined)} />
      )}
    </>
  )
}
