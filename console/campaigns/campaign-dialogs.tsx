/** Creates and deletes campaigns. */
import { type FormEvent, useRef, useState } from 'react'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { TrashIcon } from '../ui/controls/icons.tsx'
import { describe, describeRefusal } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import type { Campaign } from './campaign-state.tsx'
import styles from './campaigns.module.css'
import { texts } from './texts.ts'

/** One key for one intent: a retry after a lost response has no second effect. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

interface NewCampaignProps {
  onCreated: (campaign: Campaign) => void
  onClose: () => void
}

export function NewCampaign({ onCreated, onClose }: NewCampaignProps) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const key = useRef(newKey())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const params = { header: { 'Idempotency-Key': key.current } }
      onCreated(await call(api.POST('/campaigns', { params, body: { name: name.trim() } })))
    } catch (error) {
      const failure = ApiError.from(error)
      if (!failure.isTemporary) key.current = newKey()
      setProblem(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts().newCampaign} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void submit(event)}>
        <TextField
          label={texts().name}
          value={name}
          required
          maxLength={100}
          autoComplete="off"
          error={problem && describeRefusal(problem)}
          onChange={event => {
            key.current = newKey()
            setName(event.target.value)
          }}
        />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" busy={isBusy} disabled={name.trim() === ''}>
            {texts().create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface DeleteCampaignProps {
  campaign: Campaign
  onDeleted: () => void
  onClose: () => void
}

export function DeleteCampaign({ campaign, onDeleted, onClose }: DeleteCampaignProps) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await call(api.DELETE('/campaigns/{campaignId}', { params: { path: { campaignId: campaign.id } } }))
      showToast({ text: texts().removed(campaign.name) })
      onDeleted()
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
    onClose()
  }
  return (
    <Dialog title={texts().removeQuestion(campaign.name)} open onClose={onClose}>
      <p>{texts().removeHint}</p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="danger" icon={TrashIcon} busy={isBusy} onClick={() => void remove()}>
          {texts().remove}
        </Button>
      </div>
    </Dialog>
  )
}

/** Returns the copy, or undefined if it was not created. */
export async function duplicate(campaign: Campaign): Promise<Campaign | undefined> {
  try {
    const params = { path: { campaignId: campaign.id }, header: { 'Idempotency-Key': newKey() } }
    const copy = await call(api.POST('/campaigns/{campaignId}/duplicate', { params }))
    showToast({ text: texts().duplicated(copy.name) })
    return copy
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return undefined
  }
}
