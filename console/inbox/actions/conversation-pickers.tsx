/** The lists from which the user chooses an owner, a team, labels, a priority, a time or a macro. */
import { getSignedIn, hasScope, session } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import {
  AssignIcon,
  BoltIcon,
  ClockIcon,
  FlagIcon,
  TagIcon,
  TeamIcon,
  UserIcon,
} from '../../ui/controls/icons.tsx'
import { type Choice, Picker } from '../../ui/pickers/picker.tsx'
import { TimePicker } from '../../ui/pickers/time-picker.tsx'
import { useConversation } from '../state/conversations.ts'
import { labels } from '../state/labels.ts'
import type { Conversation } from '../state/views.ts'
import {
  addNewLabel,
  assign,
  type Priority,
  runMacro,
  setLabel,
  setPriority,
  snooze,
} from './conversation-actions.ts'

export type PickerKind = 'owner' | 'team' | 'labels' | 'priority' | 'snooze' | 'macro'

interface PickerProps {
  conversation: Conversation
  onClose: () => void
}

export function ConversationPicker({ kind, ...props }: PickerProps & { kind: PickerKind }) {
  switch (kind) {
    case 'owner':
      return <OwnerPicker {...props} />
    case 'team':
      return <Picker title={t.assignTeam} choices={listTeams(props.conversation)} onClose={props.onClose} />
    case 'labels':
      return <LabelPicker {...props} />
    case 'priority':
      return <PriorityPicker {...props} />
    case 'snooze':
      return <SnoozePicker {...props} />
    case 'macro':
      return <MacroPicker {...props} />
  }
}

function OwnerPicker({ conversation, onClose }: PickerProps) {
  const nobody: Choice = {
    id: 'nobody',
    label: t.nobody,
    icon: UserIcon,
    checked: conversation.activeOwner === null,
    onSelect: () => void assign(conversation, null, t.nobody),
  }
  const choices = [...listPeople(conversation), nobody, ...listTeams(conversation)]
  return <Picker title={t.assign} choices={choices} onClose={onClose} />
}

function listPeople(conversation: Conversation): Choice[] {
  const { me, users } = getSignedIn()
  const owner = conversation.activeOwner
  return [...users.values()]
    .filter(user => !user.disabled)
    .sort((a, b) => Number(b.id === me.id) - Number(a.id === me.id) || a.name.localeCompare(b.name))
    .map(({ id, name }) => ({
      id,
      label: id === me.id ? t.assignToMe : name,
      hint: id === me.id ? name : undefined,
      icon: AssignIcon,
      checked: owner?.type === 'user' && owner.id === id,
      onSelect: () => void assign(conversation, { type: 'user', id }, id === me.id ? t.youInText : name),
    }))
}

function listTeams(conversation: Conversation): Choice[] {
  const owner = conversation.activeOwner
  return [...getSignedIn().teams.values()].map(({ id, name }) => ({
    id,
    label: name,
    group: t.teams,
    icon: TeamIcon,
    checked: owner?.type === 'team' && owner.id === id,
    onSelect: () => void assign(conversation, { type: 'team', id }, name),
  }))
}

function LabelPicker({ conversation, onClose }: PickerProps) {
  const { labelIds } = useConversation(conversation.id) ?? conversation
  const choices = [...useStore(labels).values()].map(label => ({
    id: label.id,
    label: label.name,
    icon: TagIcon,
    checked: labelIds.includes(label.id),
    onSelect: () => void setLabel(conversation, label, !labelIds.includes(label.id)),
  }))
  const create = hasScope('label:create')
    ? { label: t.createLabel, run: (name: string) => void addNewLabel(conversation, name) }
    : undefined
  return <Picker title={t.labels} choices={choices} onClose={onClose} isMultiple create={create} />
}

const priorities: readonly (Priority | null)[] = ['urgent', 'high', 'medium', 'low', null]

function PriorityPicker({ conversation, onClose }: PickerProps) {
  const choices = priorities.map(priority => ({
    id: priority ?? 'none',
    label: priority ? t.priorities[priority] : t.noPriority,
    icon: FlagIcon,
    checked: conversation.priority === priority,
    onSelect: () => void setPriority(conversation, priority),
  }))
  return <Picker title={t.priority} choices={choices} onClose={onClose} />
}

function SnoozePicker({ conversation, onClose }: PickerProps) {
  const choose = (until: Date | undefined) => {
    onClose()
    void snooze(conversation, until)
  }
  const untilReply = {
    id: 'reply',
    label: t.untilReply,
    icon: ClockIcon,
    onSelect: () => choose(undefined),
  }
  return <TimePicker title={t.snooze} onChoose={choose} onClose={onClose} others={[untilReply]} />
}

/** The hint lists what the macro does. Macros that are created meanwhile appear. */
function MacroPicker({ conversation, onClose }: PickerProps) {
  useStore(session)
  const choices = getSignedIn().macros.map(macro => ({
    id: macro.id,
    label: macro.name,
    hint: macro.actions.map(({ type }) => t.macroActions[type]).join(', '),
    icon: BoltIcon,
    onSelect: () => void runMacro(conversation, macro),
  }))
  return <Picker title={t.runMacro} choices={choices} onClose={onClose} />
}
