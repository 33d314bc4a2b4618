import { Link } from '@tanstack/react-router'
import { api, call } from '../api/client.ts'
import type { Frame } from '../api/realtime.ts'
import { hasScope } from '../api/session.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { t } from '../i18n/i18n.ts'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import styles from './segments.module.css'
import { texts } from './texts.ts'

interface Use {
  id: string
  kind: string
  name: string
  address: string
}

/** The newest 200 of each; definitions of journeys name the segments of their triggers and conditions. */
async function findUses(segmentId: string): Promise<Use[]> {
  const [campaigns, journeys] = await Promise.all([
    hasScope('campaign:list')
      ? call(api.GET('/campaigns', { params: { query: { limit: 200 } } }))
      : undefined,
    hasScope('journey:list')
      ? call(api.GET('/journeys', { params: { query: { pageSize: 200 } } }))
      : undefined,
  ])
  const sending = (campaigns?.items ?? []).filter(campaign => campaign.segmentId === segmentId)
  const entered = (journeys?.journeys ?? []).filter(journey => JSON.stringify(journey).includes(segmentId))
  return [
    ...sending.map(({ id, name }) => ({ id, kind: t.campaign, name, address: `/campaigns/${id}` })),
    ...entered.map(({ id, name }) => ({ id, kind: t.journey, name, address: `/journeys/${id}` })),
  ]
}

const isCampaign = isChange('campaign')
const isJourney = isChange('journey')
const isUse = (frame: Frame) => isCampaign(frame) || isJourney(frame)
/** Campaigns that are being sent change every second. */
const minGapMs = 10_000

export function UsedBy({ segmentId }: { segmentId: string }) {
  const options = { isAffected: isUse, minGapMs }
  const { data: uses, error, reload } = useResource(segmentId, () => findUses(segmentId), options)
  return (
    <section className={styles.stack} aria-label={texts().usedBy}>
      <h2>{texts().usedBy}</h2>
      {!uses && (error === undefined ? <Loading rows={1} /> : <Failure error={error} onRetry={reload} />)}
      {uses?.length === 0 && <p className={styles.muted}>{texts().unused}</p>}
      <ul className={styles.rows}>
        {uses?.map(({ id, kind, name, address }) => (
          <li key={id} className={styles.row}>
            <Link to={address as '/campaigns'}>{name}</Link>
            <span className={styles.muted}>{kind}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
