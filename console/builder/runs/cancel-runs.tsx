/** Cancels the selected runs, or all that are in progress, after a confirmation. */
import { useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CloseIcon } from '../../ui/controls/icons.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { describeRefusal } from '../describe-refusal.ts'
import { cancelAllRuns, cancelRun, isInProgress, type Run } from './run-api.ts'
import styles from './runs.module.css'
import { texts } from './texts.ts'

interface CancelRunsProps {
  workflowId: string
  runs: readonly Run[]
  selected: ReadonlySet<string>
  onDone: () => void
}

/** Runs that ended meanwhile are not an error: nothing is left to cancel. */
async function cancelEach(ids: readonly string[]): Promise<number> {
  let cancelled = 0
  for (const id of ids) {
    const isCancelled = await cancelRun(id).then(
      () => true,
      error => {
        if (ApiError.from(error).code === 'run_ended') return false
        throw error
      },
    )
    if (isCancelled) cancelled++
  }
  return cancelled
}

export function CancelRuns({ workflowId, runs, selected, onDone }: CancelRunsProps) {
  const [asked, setAsked] = useState<'selected' | 'all'>()
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    setAsked(undefined)
    setProblem(undefined)
  }
  const cancel = async () => {
    setBusy(true)
    try {
      const count = asked === 'all' ? await cancelAllRuns(workflowId) : await cancelEach([...selected])
      showToast({ text: texts().cancelled(count) })
      close()
    } catch (error) {
      setProblem(ApiError.from(error))
    }
    setBusy(false)
    onDone()
  }
  return (
    <div className={styles.row}>
      {selected.size > 0 && (
        <Button icon={CloseIcon} onClick={() => setAsked('selected')}>
          {texts().cancelSelected(selected.size)}
        </Button>
      )}
      {runs.some(isInProgress) && (
        <Button look="plain" icon={CloseIcon} onClick={() => setAsked('all')}>
          {texts().cancelAll}
        </Button>
      )}
      {asked && (
        <Dialog
          title={asked === 'all' ? texts().cancelAllQuestion : texts().cancelQuestion(selected.size)}
          open
          onClose={close}
        >
          <div className={styles.panel}>
            {problem ? <p role="alert">{describeRefusal(problem)}</p> : <p>{texts().cancelHint}</p>}
            <div className={styles.end}>
              <Button onClick={close}>{t.cancel}</Button>
              <Button look="danger" icon={CloseIcon} busy={isBusy} onClick={() => void cancel()}>
                {texts().confirmCancel}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  )
}
