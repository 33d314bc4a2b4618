import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { TrashIcon } from '../ui/controls/icons.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import styles from './segments.module.css'
import { texts } from './texts.ts'
import type { Segment } from './use-segment.ts'

function explain(problem: ApiError): string {
  if (problem.code !== 'segment_in_use') return describe(problem)
  const campaigns = (problem.members.campaigns ?? []) as { name: string }[]
  return texts().inUse(campaigns.map(({ name }) => `“${name}”`).join(', '))
}

export function DeleteSegment({ segment, onClose }: { segment: Segment; onClose: () => void }) {
  const navigate = useNavigate()
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      const params = { path: { segmentId: segment.id }, header: { 'If-Match': `"${segment.revision}"` } }
      await call(api.DELETE('/segments/{segmentId}', { params }))
      showToast({ text: texts().deleted(segment.name) })
      void navigate({ to: '/segments' })
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts().deleteQuestion(segment.name)} open onClose={onClose}>
      {problem ? <p role="alert">{explain(problem)}</p> : <p>{texts().deleteHint}</p>}
      <div className={styles.end}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="danger" icon={TrashIcon} busy={isBusy} onClick={() => void remove()}>
          {texts().remove}
        </Button>
      </div>
    </Dialog>
  )
}
