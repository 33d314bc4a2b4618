/** Follows a campaign that is scheduled, being sent or finished. */
import { api, call } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { t } from '../../i18n/i18n.ts'
import { ContentView } from '../../inbox/thread/messages/content.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { type Campaign, StatusBadge } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { Blocked } from './blocked.tsx'
import { Controls } from './controls.tsx'
import { Facts } from './facts.tsx'
import { CountList, Funnel, Progress, Reasons } from './figures.tsx'
import { Recipients } from './recipients.tsx'
import { texts } from './texts.ts'
import { Timeline } from './timeline.tsx'

interface RunProps {
  campaign: Campaign
  onChanged: (campaign: Campaign) => void
  onReload: () => void
}

export function Run({ campaign, onChanged, onReload }: RunProps) {
  const { id, name, status, content } = campaign
  const params = { path: { campaignId: id } }
  const { data, error, reload } = useResource(
    id,
    () => call(api.GET('/campaigns/{campaignId}/analytics', { params })),
    { isAffected: isChange('campaign', id) },
  )
  const canListRecipients = hasScope('campaign:recipients') && hasScope('contact:list')
  const actions = (
    <>
      <BackLink to="/campaigns">{t.campaigns}</BackLink>
      <StatusBadge status={status} />
      <Controls campaign={campaign} onChanged={onChanged} onReload={onReload} />
    </>
  )
  const message = content && (
    <figure className={styles.phone} aria-label={texts().message}>
      <div className={styles.bubble}>
        <ContentView content={content} />
      </div>
    </figure>
  )
  return (
    <Page title={name} label={t.campaign} actions={actions}>
      <Facts campaign={campaign} startedAt={data?.startedAt} finishedAt={data?.finishedAt} />
      <Blocked campaign={campaign} />
      {error !== undefined && !data && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={4} />}
      {data && (
        <>
          <Progress campaign={campaign} analytics={data} />
          {/* All counts are zero until the audience is known. */}
          {data.audienceCount === null ? (
            message
          ) : (
            <>
              <CountList analytics={data} />
              <div className={styles.editor}>
                <div className={styles.form}>
                  <Timeline campaignId={id} points={data.timeline} />
                  <Reasons campaign={campaign} analytics={data} canList={canListRecipients} />
                  {canListRecipients && <Recipients campaignId={id} />}
                </div>
                <div className={styles.aside}>
                  <section className={styles.part} aria-label={texts().funnel}>
                    <h2 className={styles.heading}>{texts().funnel}</h2>
                    <Funnel analytics={data} />
                  </section>
                  {message}
                </div>
              </div>
            </>
          )}
        </>
      )}
    </Page>
  )
}
