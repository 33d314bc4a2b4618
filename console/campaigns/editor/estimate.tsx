/** How many contacts would get the message now, and why others would not. */
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { formatDuration, formatNumber } from '../../i18n/format.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { AudienceContacts, type AudiencePart, type SkipReason } from './audience-contacts.tsx'
import { parts, toPart } from './part.tsx'
import { texts } from './texts.ts'

export type Estimate = Schemas['CampaignEstimate']

interface EstimateViewProps {
  campaignId: string
  estimate: Estimate | undefined
  error: unknown
}

export function EstimateView({ campaignId, estimate, error }: EstimateViewProps) {
  if (estimate) return <EstimateFigures estimate={estimate} campaignId={campaignId} />
  if (error === undefined) return null
  const problem = ApiError.from(error)
  if (problem.violations.length === 0) return <p className={styles.muted}>{describe(problem)}</p>
  const missing = parts.filter(part => problem.violations.some(violation => toPart(violation) === part))
  return <p className={styles.muted}>{texts().stillMissing(missing.map(part => texts()[part]).join(', '))}</p>
}

/** With an id, the number of recipients and each reason show their contacts. */
export function EstimateFigures({ estimate, campaignId }: { estimate: Estimate; campaignId?: string }) {
  const [shown, setShown] = useState<AudiencePart>()
  const { sendable, skipped, audienceCount, durationSeconds } = estimate
  const show = campaignId !== undefined && hasScope('contact:list') ? setShown : undefined
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0) as [SkipReason, number][]
  return (
    <>
      <dl className={styles.facts}>
        <dt>{shared().audience}</dt>
        <dd>{formatNumber(audienceCount)}</dd>
        <dt>
          <PartTitle part="sendable" title={texts().sendable} onShow={sendable > 0 ? show : undefined} />
        </dt>
        <dd>{formatNumber(sendable)}</dd>
        <dt>{texts().skipped}</dt>
        <dd>{formatNumber(audienceCount - sendable)}</dd>
        {reasons.map(([reason, count]) => (
          <div key={reason} className={styles.sub}>
            <dt>
              <PartTitle part={reason} title={shared().reasons[reason]!} onShow={show} />
            </dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {campaignId && shown && (
        <AudienceContacts campaignId={campaignId} part={shown} onClose={() => setShown(undefined)} />
      )}
      {durationSeconds !== null && <p>{texts().takes(formatDuration(durationSeconds * 1_000))}</p>}
    </>
  )
}

interface PartTitleProps {
  part: AudiencePart
  title: string
  onShow: ((part: AudiencePart) => void) | undefined
}

function PartTitle({ part, title, onShow }: PartTitleProps) {
  if (!onShow) return title
  return (
    <button type="button" className={styles.link} onClick={() => onShow(part)}>
      {title}
    </button>
  )
}
