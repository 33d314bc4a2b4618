/** The actions that the user may take on a conversation, as items of menus, keys and the palette. */
import type { Action } from '../../actions/registry.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import {
  AssignIcon,
  BoltIcon,
  CheckCircleIcon,
  ClockIcon,
  FlagIcon,
  ReopenIcon,
  TagIcon,
  TeamIcon,
  UnreadIcon,
} from '../../ui/controls/icons.tsx'
import type { Conversation } from '../state/views.ts'
import {
  assignToMe,
  closeConversation,
  markUnread,
  reopenConversation,
  wake,
} from './conversation-actions.ts'
import type { PickerKind } from './conversation-pickers.tsx'

export type Listed = Omit<Action, 'group'> & { scope?: string; isShown?: boolean }

/** Lists the actions that the user may run on the conversation. `open` shows a list of choices. */
export function listActions(conversation: Conversation, open: (picker: PickerKind) => void): Action[] {
  const isOpen = conversation.status === 'open'
  const { snoozed } = conversation
  const all: Listed[] = [
    ...listStatusActions(conversation),
    {
      id: 'assign-me',
      label: t.assignToMe,
      icon: AssignIcon,
      scope: 'conversation:assign',
      run: () => assignToMe(conversation),
    },
    {
      id: 'assign',
      label: t.assign,
      icon: AssignIcon,
      scope: 'conversation:assign',
      run: () => open('owner'),
    },
    {
      id: 'assign-team',
      label: t.assignTeam,
      icon: TeamIcon,
      scope: 'conversation:assign',
      run: () => open('team'),
    },
    {
      id: 'labels',
      label: t.labels,
      icon: TagIcon,
      scope: 'conversation:update',
      run: () => open('labels'),
    },
    {
      id: 'priority',
      label: t.priority,
      icon: FlagIcon,
      scope: 'conversation:update',
      run: () => open('priority'),
    },
    {
      id: 'snooze',
      label: snoozed ? t.wake : t.snooze,
      icon: ClockIcon,
      scope: 'conversation:update',
      isShown: isOpen,
      run: () => (snoozed ? void wake(conversation) : open('snooze')),
    },
    {
      id: 'macro',
      label: t.runMacro,
      icon: BoltIcon,
      scope: 'macro:run',
      isShown: getSignedIn().macros.length > 0,
      run: () => open('macro'),
    },
    {
      id: 'unread',
      label: t.markUnread,
      icon: UnreadIcon,
      run: () => void markUnread(conversation),
    },
  ]
  return toActions(all)
}

/** Leaves out what the user may not do. */
export function toActions(listed: readonly Listed[]): Action[] {
  return listed
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
      icon: isOpen ? CheckCircleIcon : ReopenIcon,
      scope,
      run: () => void (isOpen ? closeConversation : reopenConversation)(conversation),
    },
  ]
}
