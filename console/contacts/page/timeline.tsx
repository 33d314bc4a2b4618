/** The history of the contact, newest first, in one list. */
import { Link } from '@tanstack/react-router'
import { api, call, type Schemas } from '../../api/client.ts'
import { formatDay, formatFull, formatTime } from '../../i18n/format.ts'
import { channelNames } from '../../inbox/channels.ts'
import details from '../../inbox/details/details.module.css'
import { getAuthorName, getUserName } from '../../inbox/thread/sender.ts'
import {
  ArchiveIcon,
  BoltIcon,
  type Icon,
  LinkIcon,
  MessageIcon,
  NoteIcon,
  SendIcon,
  UserIcon,
  WarningIcon,
} from '../../ui/controls/icons.tsx'
import styles from './page.module.css'
import { PagedList } from './paged-list.tsx'
import { texts } from './texts.ts'
import { usePaged } from './use-paged.ts'

type Entry = Schemas['ContactTimelineItem']

const icons: Record<Entry['type'], Icon> = {
  created: UserIcon,
  archived: ArchiveIcon,
  merged: LinkIcon,
  opted_out: WarningIcon,
  opted_in: WarningIcon,
  note: NoteIcon,
  conversation_opened: MessageIcon,
  conversation_reopened: MessageIcon,
  conversation_closed: MessageIcon,
  campaign_message: SendIcon,
  journey_started: BoltIcon,
  journey_ended: BoltIcon,
}

function describeEntry(entry: Entry): string {
  const { events, statuses, unnamed, deletedJourney, by } = texts()
  switch (entry.type) {
    case 'created':
    case 'archived':
      return events[entry.type]
    case 'merged':
      return events.merged(entry.name ?? unnamed)
    case 'opted_out':
    case 'opted_in':
      return events[entry.type](channelNames[entry.channel])
    case 'note':
      return events.note(getAuthorName(entry.note.authorType, entry.note.authorId))
    case 'campaign_message':
      return events.campaign_message(entry.campaignName, statuses[entry.status])
    case 'journey_started':
      return events.journey_started(entry.journeyName ?? deletedJourney)
    case 'journey_ended':
      return events.journey_ended(entry.journeyName ?? deletedJourney, statuses[entry.status])
    default: {
      const actor = entry.actor?.type === 'user' ? by(getUserName(entry.actor.id)) : ''
      return events[entry.type](channelNames[entry.channel], actor)
    }
  }
}

export function Timeline({ contactId }: { contactId: string }) {
  const list = usePaged(
    contactId,
    async cursor => {
      const params = { path: { id: contactId }, query: cursor ? { cursor } : {} }
      const page = await call(api.GET('/contacts/{id}/timeline', { params }))
      return { items: page.items, next: page.nextCursor }
    },
    ({ type, data }) =>
      (type.startsWith('contact.') && data.contact?.id === contactId) ||
      (type.startsWith('conversation.') && data.conversation?.contactId === contactId) ||
      (type === 'changed' && data.kind === 'contact_notes' && data.id === contactId),
  )
  return (
    <PagedList
      label={texts().tabs.timeline}
      empty={texts().noTimeline}
      list={list}
      render={entry => <TimelineEntry key={`${entry.type} ${entry.id} ${entry.at}`} entry={entry} />}
    />
  )
}

function TimelineEntry({ entry }: { entry: Entry }) {
  // Types that this build does not know are left out.
  const Glyph = icons[entry.type] as Icon | undefined
  if (!Glyph) return null
  const conversationId = 'conversationId' in entry ? entry.conversationId : null
  return (
    <li className={styles.entry}>
      <Glyph />
      <span>
        {describeEntry(entry)}{' '}
        {conversationId && (
          <Link to="/inbox/$conversationId" params={{ conversationId }}>
            {texts().open}
          </Link>
        )}
      </span>
      <time className={details.muted} dateTime={entry.at} title={formatFull(entry.at)}>
        {formatDay(entry.at)}, {formatTime(entry.at)}
      </time>
      {entry.type === 'note' && <p className={styles.text}>{entry.note.text}</p>}
    </li>
  )
}
