/** The actions for selected conversations. They have the keys of the same actions for one conversation. */
import { keysOf } from '../../actions/shortcuts.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import {
  AssignIcon,
  CheckCircleIcon,
  CheckIcon,
  ClockIcon,
  FlagIcon,
  type Icon,
  ReopenIcon,
  TagIcon,
  TeamIcon,
  UnreadIcon,
} from '../../ui/controls/icons.tsx'
import type { ListKey } from '../state/views.ts'
import { type BulkChange, maxUnread } from './run-bulk.ts'
import { texts } from './texts.ts'

export type BulkKind = 'assign' | 'team' | 'addLabel' | 'setPriority' | 'snooze'

export interface BulkActionItem {
  id: string
  label: string
  icon: Icon
  keys?: string | undefined
  isDisabled?: boolean
  run: () => void
}

interface BulkContext {
  listKey: ListKey
  /** Undefined: everything that matches. */
  count: number | undefined
  run: (change: BulkChange) => void
  runUnread: () => void
  open: (kind: BulkKind) => void
}

type Listed = BulkActionItem & { scope: string; isShown?: boolean }

export function listBulkActions({ listKey, count, run, runUnread, open }: BulkContext): BulkActionItem[] {
  const { status, snoozed } = listKey.filter
  const isClosed = status?.join() === 'closed'
  const pick = (kind: BulkKind, icon: Icon, keys: string | undefined) => ({
    id: `bulk-${kind}`,
    label: t.bulk[kind],
    icon,
    keys,
    run: () => open(kind),
  })
  const assign = 'conversation:assign'
  const update = 'conversation:update'
  const tooMany = count === undefined || count > maxUnread
  const all: Listed[] = [
    {
      id: 'bulk-close',
      label: isClosed ? t.bulk.reopen : t.bulk.close,
      icon: isClosed ? ReopenIcon : CheckCircleIcon,
      keys: keysOf('close'),
      scope: 'conversation:close',
      run: () => run({ type: isClosed ? 'reopen' : 'close' }),
    },
    { ...pick('assign', AssignIcon, keysOf('assign')), scope: assign },
    {
      ...pick('team', TeamIcon, keysOf('assign-team')),
      scope: assign,
      isShown: getSignedIn().teams.size > 0,
    },
    { ...pick('addLabel', TagIcon, keysOf('labels')), scope: update },
    { ...pick('setPriority', FlagIcon, keysOf('priority')), scope: update },
    snoozed
      ? {
          id: 'bulk-wake',
          label: t.bulk.wake,
          icon: ClockIcon,
          keys: keysOf('snooze'),
          scope: update,
          run: () => run({ type: 'wake' }),
        }
      : { ...pick('snooze', ClockIcon, keysOf('snooze')), scope: update, isShown: !isClosed },
    {
      id: 'bulk-read',
      label: t.bulk.markRead,
      icon: CheckIcon,
      scope: 'conversation:read',
      run: () => run({ type: 'markRead' }),
    },
    {
      id: 'bulk-unread',
      label: tooMany ? texts().tooManyUnread(maxUnread) : t.bulk.markUnread,
      icon: UnreadIcon,
      keys: keysOf('unread'),
      scope: 'conversation:read',
      isDisabled: tooMany,
      run: runUnread,
    },
  ]
  return all
    .filter(({ scope, isShown = true }) => isShown && hasScope(scope))
    .map(({ scope: _, isShown: __, ...item }) => item)
}
