/** The audience, the inbox and the time of a campaign. */
import { Link } from '@tanstack/react-router'
import { api, call } from '../../api/client.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { formatDateTime, formatNumber } from '../../i18n/format.ts'
import type { Campaign } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { listSegments } from '../editor/audience-parts.tsx'
import { texts } from './texts.ts'

interface FactsProps {
  campaign: Campaign
  startedAt: string | null | undefined
  finishedAt: string | null | undefined
}

export function Facts({ campaign, startedAt, finishedAt }: FactsProps) {
  const { status, segmentId, inboxId, scheduledAt, dispatchError } = campaign
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const format = (time: string) => formatDateTime(new Date(time))
  return (
    <>
      <p className={styles.muted}>
        {status === 'scheduled' && scheduledAt && texts().begins(format(scheduledAt), zone)}
        {startedAt && texts().began(format(startedAt))} {finishedAt && texts().finished(format(finishedAt))}
      </p>
      <dl className={styles.line}>
        {segmentId && hasScope('segment:list') && (
          <Segment segmentId={segmentId} isCounted={status === 'scheduled'} />
        )}
        <div>
          <dt>{texts().from}</dt>
          <dd>{(inboxId && getSignedIn().inboxes.get(inboxId)?.name) ?? '–'}</dd>
        </div>
      </dl>
      {dispatchError && (
        <p className={styles.error} role="alert">
          {dispatchError}
        </p>
      )}
    </>
  )
}

/** Before the start, with the number of contacts that it has now: the audience is not known yet. */
function Segment({ segmentId, isCounted }: { segmentId: string; isCounted: boolean }) {
  const { data: segments } = useResource('segments', listSegments, { isAffected: isChange('segment') })
  const segment = segments?.find(({ id }) => id === segmentId)
  return (
    <div>
      <dt>{texts().to}</dt>
      <dd>
        {segment ? (
          <Link to="/segments/$segmentId" params={{ segmentId }}>
            {segment.name}
          </Link>
        ) : (
          segments && texts().deletedSegment
        )}
        {segment && isCounted && <Count segmentId={segmentId} />}
      </dd>
    </div>
  )
}

function Count({ segmentId }: { segmentId: string }) {
  const params = { path: { segmentId } }
  const { data } = useResource(segmentId, () => call(api.GET('/segments/{segmentId}/count', { params })), {
    isAffected: isChange('segment', segmentId),
  })
  return data && <> · {texts().contactsNow(formatNumber(data.totalSize))}</>
}
