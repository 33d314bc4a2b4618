/** The icons of the console: outlines of straight lines and arcs on a grid of 24 × 24. */
import type { ReactElement } from 'react'

export type Icon = (props: { className?: string | undefined }) => ReactElement

function icon(...paths: string[]): Icon {
  const content = paths.map(path => <path key={path} d={path} />)
  return ({ className }) => (
    <svg
      className={className}
      viewBox="0 0 24 24"
      width="1em"
      height="1em"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {content}
    </svg>
  )
}

export const InboxIcon = icon('M3 13 6 5h12l3 8v6H3Z', 'M3 13h6l1 3h4l1-3h6')
export const ContactsIcon = icon(
  'M5 3h13v18H5Z',
  'M3 8h3',
  'M3 16h3',
  'M14 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
  'M8 17a3.5 3 0 0 1 7 0',
)
export const SegmentsIcon = icon('M21 12a9 9 0 1 1-9-9v9Z', 'M15 3.5a9 9 0 0 1 5.5 5.5H15Z')
export const ArchiveIcon = icon('M3 5h18v4H3Z', 'M5 9v11h14V9', 'M10 13h4')
export const SettingsIcon = icon(
  'M4 7h9',
  'M17 7h3',
  'M4 12h3',
  'M11 12h9',
  'M4 17h9',
  'M17 17h3',
  'M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  'M11 12a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  'M17 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
)
export const SearchIcon = icon('M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z', 'M15.5 15.5 20 20')
export const CloseIcon = icon('M6 6l12 12', 'M18 6 6 18')
export const CheckIcon = icon('M5 13l4 4L19 7')
export const ChevronLeftIcon = icon('M15 5l-7 7 7 7')
export const SendIcon = icon('M4 5l16 7-16 7 3-7Z', 'M7 12h7')
export const AttachIcon = icon('M8 12V7a4 4 0 0 1 8 0v9a3 3 0 0 1-6 0V8')
export const UserIcon = icon('M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z', 'M4 20a8 6 0 0 1 16 0')
export const SignOutIcon = icon('M13 4H5v16h8', 'M10 12h10', 'M16 8l4 4-4 4')
export const SwitchIcon = icon('M4 8h14', 'M14 4l4 4-4 4', 'M20 16H6', 'M10 12l-4 4 4 4')
export const WarningIcon = icon('M12 4 21 20H3Z', 'M12 10v4', 'M12 17v.01')
export const ErrorIcon = icon('M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z', 'M12 7v6', 'M12 16v.01')
export const ClockIcon = icon('M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z', 'M12 7v5l4 2')
export const PhoneIcon = icon('M7 3h10v18H7Z', 'M11 18h2')
export const GlobeIcon = icon(
  'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  'M3 12h18',
  'M12 3a14 14 0 0 1 0 18 14 14 0 0 1 0-18Z',
)
export const MessageIcon = icon('M4 5h16v11h-9l-4 4v-4H4Z')
export const CameraIcon = icon('M3 8h4l2-3h6l2 3h4v11H3Z', 'M15.5 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z')
export const InfoIcon = icon('M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z', 'M12 11v6', 'M12 8v.01')
export const ShowIcon = icon('M2 12a11 9 0 0 1 20 0 11 9 0 0 1-20 0Z', 'M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z')
export const HideIcon = icon(
  'M2 12a11 9 0 0 1 20 0 11 9 0 0 1-20 0Z',
  'M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z',
  'M4 20 20 4',
)
export const CheckCircleIcon = icon('M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z', 'M8 12l3 3 5-6')
export const DocumentIcon = icon('M6 3h8l4 4v14H6Z', 'M14 3v4h4', 'M9 12h6', 'M9 16h6')
export const MapPinIcon = icon(
  'M12 21 6 13a7 7 0 1 1 12 0Z',
  'M14.5 9.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
)
export const ReplyIcon = icon('M9 5 4 10l5 5', 'M4 10h10a6 6 0 0 1 6 6v3')
export const ArrowDownIcon = icon('M12 4v16', 'M6 14l6 6 6-6')
export const AssignIcon = icon(
  'M13 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z',
  'M2 20a7 6 0 0 1 14 0',
  'M19 8v6',
  'M16 11h6',
)
export const BellIcon = icon('M5 17h14l-2-3V10a5 5 0 0 0-10 0v4Z', 'M10 20h4')
export const FilterIcon = icon('M4 5h16l-6 8v6l-4-2v-4Z')
export const ChevronDownIcon = icon('M5 9l7 7 7-7')
export const ArrowUpIcon = icon('M12 20V4', 'M6 10l6-6 6 6')
export const BookmarkIcon = icon('M6 4h12v16l-6-4-6 4Z')
export const SelectIcon = icon('M4 4h16v16H4Z', 'M8 12l3 3 5-6')
export const PlayIcon = icon('M7 4l13 8-13 8Z')
export const SentIcon = icon('M5 13l4 4L19 7')
export const DeliveredIcon = icon('M2 13l4 4L15 8', 'M10.5 15.5 12 17 22 7')
export const MoreIcon = icon(
  'M6.5 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z',
  'M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z',
  'M19.5 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z',
)
export const TagIcon = icon('M4 4h8l8 8-8 8-8-8Z', 'M8 8v.01')
export const UntagIcon = icon('M4 4h8l8 8-8 8-8-8Z', 'M9 15l6-6')
export const FlagIcon = icon('M6 21V4', 'M6 4h12l-3 4 3 4H6')
export const TeamIcon = icon(
  'M12 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z',
  'M3 19a6 5 0 0 1 12 0',
  'M15 5a3 3 0 0 1 0 6',
  'M18 14a6 5 0 0 1 3 5',
)
export const UnreadIcon = icon(
  'M4 6h11',
  'M4 6v12h16v-7',
  'M4 7l8 6 4-3',
  'M21 5a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
)
export const ReopenIcon = icon('M4 12a8 8 0 1 0 3-6', 'M4 4v5h5')
export const NoteIcon = icon('M5 4h14v10l-5 6H5Z', 'M19 14h-5v6', 'M9 9h6')
export const RetryIcon = icon('M20 12a8 8 0 1 1-3-6', 'M20 4v5h-5')
export const PencilIcon = icon('M5 19l1-4L16 5l3 3L9 18Z', 'M14 7l3 3')
export const SmileIcon = icon(
  'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  'M8 14a5 5 0 0 0 8 0',
  'M9 9v.01',
  'M15 9v.01',
)
export const LinkIcon = icon(
  'M10 14a4 4 0 0 1 0-6l3-3a4 4 0 0 1 6 6l-1 1',
  'M14 10a4 4 0 0 1 0 6l-3 3a4 4 0 0 1-6-6l1-1',
)
export const CopyIcon = icon('M9 9h11v11H9Z', 'M5 15H4V4h11v1')
export const TrashIcon = icon('M4 7h16', 'M9 7V4h6v3', 'M6 7l1 13h10l1-13')
export const BoltIcon = icon('M13 3 5 14h6l-1 7 8-11h-6Z')
export const PlusIcon = icon('M12 5v14', 'M5 12h14')
export const CampaignIcon = icon('M4 10v5h4l9 4V6l-9 4Z', 'M8 15v5h3v-4', 'M20 11v3')
export const PauseIcon = icon('M8 5v14', 'M16 5v14')
export const ReportIcon = icon('M4 4v16h16', 'M8 16v-4', 'M12 16V8', 'M16 16v-6')
export const JourneyIcon = icon(
  'M9 6a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
  'M20 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
  'M9 6h6a3 3 0 0 1 0 6H9a3 3 0 0 0 0 6h6',
)
export const ChatbotIcon = icon(
  'M5 9h14v10H5Z',
  'M12 5v4',
  'M12 4v.01',
  'M9 13v1',
  'M15 13v1',
  'M2 13v2',
  'M22 13v2',
)
export const FitIcon = icon('M4 9V4h5', 'M15 4h5v5', 'M20 15v5h-5', 'M9 20H4v-5')
export const MinusIcon = icon('M5 12h14')
export const TidyIcon = icon(
  'M3 9h6v6H3Z',
  'M15 4h6v6h-6Z',
  'M15 14h6v6h-6Z',
  'M9 12h3',
  'M12 7v10',
  'M12 7h3',
  'M12 17h3',
)
export const BranchIcon = icon('M4 12h5', 'M9 12l5-6h6', 'M9 12l5 6h6')
