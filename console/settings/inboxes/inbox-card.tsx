import { Link } from '@tanstack/react-router'
import styles from '../settings.module.css'
import { type Inbox, InboxFacts, InboxState, Issues, toTone, useHealth } from './inbox-health.tsx'

/** An inbox in the list; its name leads to its page. */
export function InboxCard({ inbox }: { inbox: Inbox }) {
  const { data: health } = useHealth(inbox.id)
  return (
    <li className={styles.card} data-tone={toTone(inbox)}>
      <h2 className={styles.name}>
        <Link to="/settings/inboxes/$inboxId" params={{ inboxId: inbox.id }}>
          {inbox.name}
        </Link>
        <InboxState inbox={inbox} />
      </h2>
      <Issues inbox={inbox} health={health} />
      <InboxFacts inbox={inbox} health={health} />
    </li>
  )
}
