/** A draft for users who may not change it. */
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { ContentView } from '../../inbox/thread/messages/content.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { type Campaign, StatusBadge } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts } from './texts.ts'

export function DraftFacts({ campaign: { name, status, inboxId, content } }: { campaign: Campaign }) {
  const actions = (
    <>
      <BackLink to="/campaigns">{t.campaigns}</BackLink>
      <StatusBadge status={status} />
    </>
  )
  return (
    <Page title={name} label={t.campaign} actions={actions}>
      <dl className={styles.facts}>
        <dt>{texts().inbox}</dt>
        <dd>{(inboxId && getSignedIn().inboxes.get(inboxId)?.name) ?? '–'}</dd>
      </dl>
      {content && (
        <figure className={styles.phone} aria-label={texts().what}>
          <div className={styles.bubble}>
            <ContentView content={content} />
          </div>
        </figure>
      )}
    </Page>
  )
}
