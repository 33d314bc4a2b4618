/** Asks for confirmation with the numbers, then sends or schedules the campaign. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SendIcon } from '../../ui/controls/icons.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { newKey } from '../campaign-dialogs.tsx'
import type { Campaign } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { type Estimate, EstimateFigures } from './estimate.tsx'
import { texts } from './texts.ts'
import { timeZone } from './when-part.tsx'

interface ScheduleDialogProps {
  campaign: Campaign
  estimate: Estimate
  at: string | undefined
  onScheduled: (campaign: Campaign) => void
  onFailed: (problem: ApiError) => void
  onClose: () => void
}

export function ScheduleDialog({ campaign, estimate, at, ...on }: ScheduleDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [key] = useState(newKey)
  const { id, revision } = campaign
  const confirm = async () => {
    setBusy(true)
    try {
      const header = { 'Idempotency-Key': key, 'If-Match': `"${revision}"` }
      const params = { path: { campaignId: id }, header }
      const body = { sendAt: at === undefined ? 'now' : new Date(at).toISOString() }
      on.onScheduled(await call(api.POST('/campaigns/{campaignId}/schedule', { params, body })))
    } catch (error) {
      on.onFailed(ApiError.from(error))
    }
  }
  const contacts = shared().contacts(estimate.sendable)
  return (
    <Dialog title={at === undefined ? texts().confirmNow : texts().confirmLater} open onClose={on.onClose}>
      {at !== undefined && <p>{texts().confirmTime(formatDateTime(new Date(at)), timeZone())}</p>}
      <EstimateFigures estimate={estimate} />
      <p className={styles.muted}>{estimate.sendable === 0 ? texts().nobody : texts().confirmCounts}</p>
      <div className={styles.actions}>
        <Button onClick={on.onClose}>{t.cancel}</Button>
        <Button look="primary" icon={SendIcon} busy={isBusy} onClick={() => void confirm()}>
          {at === undefined ? texts().sendNow(contacts) : texts().schedule(contacts)}
        </Button>
      </div>
    </Dialog>
  )
}
