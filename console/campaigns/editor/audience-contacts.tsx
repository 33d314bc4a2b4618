/** Lists the contacts that would receive a draft, or that it would skip for a reason. */
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

/** Those who would receive it, or a reason to skip the others. */
export type AudiencePart = 'sendable' | SkipReason

interface AudienceContactsProps {
  campaignId: string
  part: AudiencePart
  onClose: () => void
}

function loadContacts(campaignId: string, part: AudiencePart, cursor: string | undefined) {
  const query = cursor ? { cursor } : {}
  return part === 'sendable'
    ? call(api.GET('/campaigns/{campaignId}/estimate/sendable', { params: { path: { campaignId }, query } }))
    : call(
        api.GET('/campaigns/{campaignId}/estimate/skipped/{reason}', {
          params: { path: { campaignId, reason: part }, query },
        }),
      )
}

export function AudienceContacts({ campaignId, part, onClose }: AudienceContactsProps) {
  const { items, error, reload, more } = usePaged(
    `${campaignId} ${part}`,
    async cursor => {
      const page = await loadContacts(campaignId, part, cursor)
      return { items: page.items, next: page.nextCursor }
    },
    () => false,
  )
  const title = part === 'sendable' ? texts().sendable : shared().reasons[part]!
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
