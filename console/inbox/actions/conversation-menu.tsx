/** The actions of the open conversation by button, menu, key and palette. */
import { type ComponentProps, useState } from 'react'
import { type Action, useActions } from '../../actions/registry.ts'
import { hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import {
  AssignIcon,
  CheckCircleIcon,
  ClockIcon,
  FlagIcon,
  InfoIcon,
  MoreIcon,
  PlayIcon,
  ReopenIcon,
  TagIcon,
  TeamIcon,
  UnreadIcon,
} from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Conversation } from '../state/views.ts'
import {
  assignToMe,
  closeConversation,
  markUnread,
  reopenConversation,
  wake,
} from './conversation-actions.ts'
import type { ConversationPicker as Picker, PickerKind } from './conversation-pickers.tsx'

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
  const actions = listActions({ conversation, onToggleDetails, onPlay }, setPicker)
  useActions(actions)
  const items = actions.map(({ id, label, icon, keys, run }) => ({ id, label, icon, keys, onSelect: run }))
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

type Listed = Omit<Action, 'group'> & { scope?: string; isShown?: boolean }

function listActions(
  { conversation, onToggleDetails, onPlay }: ConversationMenuProps,
  open: (picker: PickerKind) => void,
): Action[] {
  const isOpen = conversation.status === 'open'
  const { snoozed } = conversation
  const all: Listed[] = [
    ...listStatusActions(conversation),
    {
      id: 'assign-me',
      label: t.assignToMe,
      keys: 'm',
      icon: AssignIcon,
      scope: 'conversation:assign',
      run: () => assignToMe(conversation),
    },
    {
      id: 'assign',
      label: t.assign,
      keys: 'a',
      icon: AssignIcon,
      scope: 'conversation:assign',
      run: () => open('owner'),
    },
    {
      id: 'assign-team',
      label: t.assignTeam,
      keys: 't',
      icon: TeamIcon,
      scope: 'conversation:assign',
      run: () => open('team'),
    },
    {
      id: 'labels',
      label: t.labels,
      keys: 'l',
      icon: TagIcon,
      scope: 'conversation:update',
      run: () => open('labels'),
    },
    {
      id: 'priority',
      label: t.priority,
      keys: 'p',
      icon: FlagIcon,
      scope: 'conversation:update',
      run: () => open('priority'),
    },
    {
      id: 'snooze',
      label: snoozed ? t.wake : t.snooze,
      keys: 'h',
      icon: ClockIcon,
      scope: 'conversation:update',
      isShown: isOpen,
      run: () => (snoozed ? void wake(conversation) : open('snooze')),
    },
    {
      id: 'unread',
      label: t.markUnread,
      keys: 'u',
      icon: UnreadIcon,
      run: () => void markUnread(conversation),
    },
    { id: 'details', label: t.details, keys: ']', icon: InfoIcon, run: onToggleDetails },
    {
      id: 'sandbox',
      label: t.playTheCustomer,
      keys: 'g x',
      icon: PlayIcon,
      scope: 'sandbox:control',
      run: onPlay,
    },
  ]
  return all
    .filter(({ scope, isShown = true }) => isShown && (!scope || hasScope(scope)))
    .map(({ scope: _, isShown: __, ...action }) => ({ ...action, group: t.conversation }))
}

function listStatusActions(conversation: Conversation): Listed[] {
  const isOpen = conversation.status === 'open'
  const scope = 'conversation:close'
  return [
    {
      id: 'close',
      label: isOpen ? t.closeConversation : t.reopen,
      keys: 'e',
      icon: isOpen ? CheckCircleIcon : ReopenIcon,
      scope,
      run: () => void (isOpen ? closeConversation : reopenConversation)(conversation),
    },
  ]
}
