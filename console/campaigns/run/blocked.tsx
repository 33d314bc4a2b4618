/** Says that a campaign waits because the provider refuses the messages of its inbox. */
import { Link } from '@tanstack/react-router'
import { hasScope, session } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { WarningIcon } from '../../ui/controls/icons.tsx'
import type { Campaign } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts } from './texts.ts'

/** Issues of an inbox that stop sending, without failing the messages. */
const blocking = ['auth_expired', 'payment_issue'] as const

export function Blocked({ campaign: { status, inboxId } }: { campaign: Campaign }) {
  const current = useStore(session)
  const inbox = current.status === 'signed-in' && inboxId ? current.inboxes.get(inboxId) : undefined
  const issue = blocking.find(item => inbox?.status.reasons.includes(item))
  if (!inbox || !issue || (status !== 'sending' && status !== 'scheduled')) return null
  return (
    <p className={styles.blocked} role="status">
      <WarningIcon />
      {texts().blocked[issue](inbox.name)}{' '}
      {hasScope('inbox:update') && (
        <Link to="/settings/inboxes/$inboxId" params={{ inboxId: inbox.id }}>
          {texts().openInbox}
        </Link>
      )}
    </p>
  )
}
