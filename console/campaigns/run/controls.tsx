/** Pauses, resumes, cancels and unschedules. The response is shown immediately, without waiting for a frame. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CloseIcon, type Icon, PauseIcon, PlayIcon, ReopenIcon } from '../../ui/controls/icons.tsx'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { newKey } from '../campaign-dialogs.tsx'
import type { Campaign, CampaignStatus } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts } from './texts.ts'

type Operation = 'pause' | 'resume' | 'unschedule' | 'cancel'

const operations: Partial<Record<CampaignStatus, readonly Operation[]>> = {
  scheduled: ['unschedule', 'cancel'],
  sending: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
}
const icons: Record<Operation, Icon> = {
  pause: PauseIcon,
  resume: PlayIcon,
  unschedule: ReopenIcon,
  cancel: CloseIcon,
}

function run(operation: Operation, campaignId: string): Promise<Campaign> {
  const params = { path: { campaignId }, header: { 'Idempotency-Key': newKey() } }
  return call(api.POST(`/campaigns/{campaignId}/${operation}`, { params }))
}

interface ControlsProps {
  campaign: Campaign
  onChanged: (campaign: Campaign) => void
  onReload: () => void
}

export function Controls({ campaign: { id, status }, onChanged, onReload }: ControlsProps) {
  const [busy, setBusy] = useState<Operation>()
  const [isAsking, setAsking] = useState(false)
  if (!hasScope('campaign:schedule')) return null
  const start = async (operation: Operation) => {
    setAsking(false)
    setBusy(operation)
    try {
      onChanged(await run(operation, id))
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
      onReload()
    }
    setBusy(undefined)
  }
  return (
    <>
      {operations[status]?.map(operation => (
        <LeavingButton
          // Pausing keeps the focus on the button that resumes.
          key={operation === 'cancel' ? operation : 'change'}
          icon={icons[operation]}
          look={operation === 'cancel' ? 'danger' : 'default'}
          busy={busy === operation}
          onClick={() => (operation === 'cancel' ? setAsking(true) : void start(operation))}
        >
          {texts()[operation]}
        </LeavingButton>
      ))}
      {isAsking && (
        <Dialog title={texts().cancelQuestion} open onClose={() => setAsking(false)}>
          <p>{texts().cancelHint}</p>
          <div className={styles.actions}>
            <Button onClick={() => setAsking(false)}>{texts().keep}</Button>
            <Button look="danger" icon={CloseIcon} onClick={() => void start('cancel')}>
              {texts().cancel}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
