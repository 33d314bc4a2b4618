/** Lists the contacts that a draft would skip for a reason. */
import { Link } from '@tanstack/react-router'
import { api, call } from '../../api/client.ts'
import { usePaged } from '../../contacts/page/use-paged.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { texts } from './texts.ts'

export type SkipReason = 'archived' | 'opted_out' | 'no_identity' | 'window_closed' | 'missing_parameter'

interface SkippedContactsProps {
  campaignId: string
  reason: SkipReason
  onClose: () => void
}

export function SkippedContacts({ campaignId, reason, onClose }: SkippedContactsProps) {
  const { items, error, reload, more } = usePaged(
    `${campaignId} ${reason}`,
    async cursor => {
      const params = { path: { campaignId, reason }, query: cursor ? { cursor } : {} }
      const page = await call(api.GET('/campaigns/{campaignId}/estimate/skipped/{reason}', { params }))
      return { items: page.items, next: page.nextCursor }
    },
    () => false,
  )
  const title = shared().reasons[reason]!
  return (
    <Dialog title={title} open onClose={onClose}>
      {error !== undefined && !items && <Failure error={error} onRetry={reload} />}
      {!items && error === undefined && <Loading rows={3} />}
      {items && (
        <ul className={styles.form} aria-label={title}>
          {items.map(({ contactId, contactName }) => (
            <li key={contactId}>
              <Link to="/contacts/$contactId" params={{ contactId }}>
                {contactName ?? texts().unnamed}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more && <Button onClick={more}>{shared().showMore}</Button>}
    </Dialog>
  )
}
