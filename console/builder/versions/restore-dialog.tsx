/** Asks before the draft is replaced with a version. */
import { useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ReopenIcon } from '../../ui/controls/icons.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { describeRefusal } from '../describe-refusal.ts'
import type { BuilderPanelProps } from '../panel-props.ts'
import { texts } from './texts.ts'
import { type Numbered, restoreVersion } from './version-api.ts'
import styles from './versions.module.css'

interface RestoreDialogProps extends BuilderPanelProps {
  version: Numbered
  onClose: () => void
}

export function RestoreDialog({ kind, workflowId, version, onClose }: RestoreDialogProps) {
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await restoreVersion(kind, workflowId, version.id)
      showToast({ text: texts().restored(version.number) })
      onClose()
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts().restoreQuestion(version.number)} open onClose={onClose}>
      <div className={styles.panel}>
        {problem ? <p role="alert">{describeRefusal(problem)}</p> : <p>{texts().restoreHint}</p>}
        <div className={styles.end}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" icon={ReopenIcon} busy={isBusy} onClick={() => void restore()}>
            {texts().restore}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
