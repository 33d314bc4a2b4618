/** Chooses the owner, team, label, priority or time for selected conversations. */

import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import {
  AssignIcon,
  ClockIcon,
  FlagIcon,
  type Icon,
  TagIcon,
  TeamIcon,
  UserIcon,
} from '../../ui/controls/icons.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { type Choice, Picker } from '../../ui/pickers/picker.tsx'
import { TimePicker } from '../../ui/pickers/time-picker.tsx'
import { createLabel, labels } from '../state/labels.ts'
import type { BulkKind } from './bulk-actions.ts'
import type { BulkChange } from './run-bulk.ts'

interface BulkPickerProps {
  kind: BulkKind
  onChoose: (change: BulkChange) => void
  onClose: () => void
}

export function BulkPicker({ kind, onChoose, onClose }: BulkPickerProps) {
  const known = useStore(labels)
  const toChoice = (
    icon: Icon,
    change: BulkChange,
    { id, label }: { id: string; label: string },
  ): Choice => ({
    id,
    label,
    icon,
    onSelect: () => onChoose(change),
  })
  const title = t.bulk[kind]
  if (kind === 'snooze') {
    const choose = (until: Date | undefined) => {
      onClose()
      onChoose({ type: 'snooze', ...(until ? { until: until.toISOString() } : { untilReply: true }) })
    }
    const untilReply = {
      id: 'reply',
      label: t.untilReply,
      icon: ClockIcon,
      onSelect: () => choose(undefined),
    }
    return <TimePicker title={title} onChoose={choose} onClose={onClose} others={[untilReply]} />
  }
  const teams = [...getSignedIn().teams.values()].map(({ id, name }) =>
    toChoice(TeamIcon, { type: 'assign', owner: { type: 'team', id } }, { id, label: name }),
  )
  const lists: Record<Exclude<BulkKind, 'snooze'>, () => Choice[]> = {
    team: () => teams,
    assign: () => [
      ...listPeople().map(person =>
        toChoice(AssignIcon, { type: 'assign', owner: { type: 'user', id: person.id } }, person),
      ),
      toChoice(UserIcon, { type: 'assign', owner: { type: 'none' } }, { id: 'nobody', label: t.nobody }),
      ...teams.map(team => ({ ...team, group: t.teams })),
    ],
    addLabel: () =>
      [...known.values()].map(({ id, name }) =>
        toChoice(TagIcon, { type: 'addLabel', labelId: id }, { id, label: name }),
      ),
    setPriority: () =>
      (['urgent', 'high', 'medium', 'low', null] as const).map(priority =>
        toChoice(
          FlagIcon,
          { type: 'setPriority', priority },
          { id: priority ?? 'none', label: priority ? t.priorities[priority] : t.noPriority },
        ),
      ),
  }
  const create = async (name: string) => {
    try {
      onChoose({ type: 'addLabel', labelId: (await createLabel(name)).id })
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
  }
  const canCreate = kind === 'addLabel' && hasScope('label:create')
  return (
    <Picker
      title={title}
      choices={lists[kind]()}
      onClose={onClose}
      create={canCreate ? { label: t.createLabel, run: name => void create(name) } : undefined}
    />
  )
}

function listPeople(): { id: string; label: string }[] {
  const { me, users } = getSignedIn()
  return [...users.values()]
    .filter(user => !user.disabled)
    .sort((a, b) => Number(b.id === me.id) - Number(a.id === me.id) || a.name.localeCompare(b.name))
    .map(({ id, name }) => ({ id, label: id === me.id ? t.assignToMe : name }))
}
