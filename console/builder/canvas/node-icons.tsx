/** The icon and the group of each kind of node. */
import {
  ArchiveIcon,
  AssignIcon,
  BoltIcon,
  BranchIcon,
  CheckCircleIcon,
  ClockIcon,
  CloseIcon,
  FlagIcon,
  type Icon,
  InfoIcon,
  LinkIcon,
  MessageIcon,
  NoteIcon,
  PencilIcon,
  PlayIcon,
  PlusIcon,
  RetryIcon,
  SegmentsIcon,
  SelectIcon,
  SendIcon,
  TagIcon,
  TeamIcon,
  UnreadIcon,
  UntagIcon,
} from '../../ui/controls/icons.tsx'

export type NodeGroup = 'messages' | 'flow' | 'actions' | 'other'

const kinds: Record<string, { icon: Icon; group: NodeGroup }> = {
  start: { icon: PlayIcon, group: 'flow' },
  sendMessage: { icon: SendIcon, group: 'messages' },
  ask: { icon: MessageIcon, group: 'messages' },
  menu: { icon: SelectIcon, group: 'messages' },
  delay: { icon: ClockIcon, group: 'flow' },
  timeWindow: { icon: ClockIcon, group: 'flow' },
  waitFor: { icon: UnreadIcon, group: 'flow' },
  branch: { icon: BranchIcon, group: 'flow' },
  split: { icon: SegmentsIcon, group: 'flow' },
  jump: { icon: RetryIcon, group: 'flow' },
  goal: { icon: FlagIcon, group: 'flow' },
  end: { icon: CheckCircleIcon, group: 'flow' },
  callWorkflow: { icon: PlusIcon, group: 'flow' },
  addTag: { icon: TagIcon, group: 'actions' },
  removeTag: { icon: UntagIcon, group: 'actions' },
  setField: { icon: PencilIcon, group: 'actions' },
  setVariable: { icon: PencilIcon, group: 'actions' },
  setOptOut: { icon: CloseIcon, group: 'actions' },
  assign: { icon: AssignIcon, group: 'actions' },
  handoff: { icon: TeamIcon, group: 'actions' },
  closeConversation: { icon: ArchiveIcon, group: 'actions' },
  note: { icon: NoteIcon, group: 'actions' },
  http: { icon: LinkIcon, group: 'actions' },
  emitEvent: { icon: BoltIcon, group: 'actions' },
}

export const getNodeIcon = (type: string): Icon => kinds[type]?.icon ?? InfoIcon
export const getNodeGroup = (type: string): NodeGroup => kinds[type]?.group ?? 'other'
