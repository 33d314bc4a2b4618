/**
 * Dialog that publishes the draft. It shows the changes since the published version, the problems to fix and the results of
 * the cases, and asks for a note.
 */
import { useEffect, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { hasScope } from '../api/session.ts'
import { useStore } from '../app/store.ts'
import { Button } from '../ui/controls/button.tsx'
import { Checkbox, TextField } from '../ui/controls/field.tsx'
import { Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import styles from './builder.module.css'
import { describeRefusal } from './describe-refusal.ts'
import type { Definition } from './model/definition.ts'
import type { Problem } from './model/problems.ts'
import { CaseCheck, DraftDiff } from './panel.ts'
import { ProblemList } from './problems/problem-bar.tsx'
import { useSession } from './state/session.tsx'
import { fetchVersion, publishWorkflow, setActive } from './state/workflow-api.ts'
import { texts } from './texts.ts'

/** Saves, then reads the problems and the published version. */
function useReview() {
  const { editor, saver, validator } = useSession()
  const [problems, setProblems] = useState<readonly Problem[]>()
  const [published, setPublished] = useState<Definition | null>()
  const [failure, setFailure] = useState<ApiError>()
  useEffect(() => {
    const review = async () => {
      await saver.flush()
      const { publishedVersionId } = saver.state.get().workflow
      const [found, version] = await Promise.all([
        validator.check(),
        publishedVersionId === null ? null : fetchVersion(editor.kind, editor.workflowId, publishedVersionId),
      ])
      setProblems(found)
      setPublished(version)
    }
    review().catch(error => setFailure(ApiError.from(error)))
  }, [editor, saver, validator])
  return { problems, published, failure }
}

export function PublishDialog({ onClose }: { onClose: () => void }) {
  const { editor, saver } = useSession()
  const { workflow } = useStore(saver.state)
  const { problems, published, failure } = useReview()
  const [note, setNote] = useState('')
  const [activates, setActivates] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const canActivate = workflow.status !== 'active' && hasScope('journey:activate')
  const errors = problems?.filter(({ isWarning }) => !isWarning) ?? []
  const publish = async () => {
    setBusy(true)
    try {
      if (!(await saver.flush())) return onClose()
      const { revision } = saver.state.get().workflow
      await publishWorkflow(editor.kind, editor.workflowId, revision, note)
      if (activates) await setActive(editor.kind, editor.workflowId, true)
      await saver.refresh()
      showToast({ text: texts().published })
      onClose()
    } catch (error) {
      const problem = ApiError.from(error)
      showToast({ text: describeRefusal(problem), tone: 'danger' })
      await saver.refresh()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts().publishTitle} open wide={workflow.publishedVersionId !== null} onClose={onClose}>
      <div className={styles.form}>
        <p>{texts().publishHint}</p>
        {failure && <p role="alert">{describeRefusal(failure)}</p>}
        {!problems && !failure && <Loading rows={1} />}
        {published === null && <p className={styles.muted}>{texts().firstVersion}</p>}
        {published && (
          <DraftDiff
            kind={editor.kind}
            catalogue={editor.catalogue}
            workflow={workflow}
            published={published}
          />
        )}
        {problems && problems.length > 0 && (
          <div>
            <p>{errors.length > 0 ? texts().publishBlocked : texts().publishWarnings}</p>
            <ProblemList problems={errors.length > 0 ? errors : problems} onGo={onClose} />
          </div>
        )}
        {problems && errors.length === 0 && (
          <CaseCheck kind={editor.kind} workflowId={editor.workflowId} definition={editor.get()} />
        )}
        <TextField
          label={texts().note}
          value={note}
          maxLength={500}
          onChange={event => setNote(event.target.value)}
        />
        {canActivate && (
          <Checkbox
            label={texts().activateToo}
            checked={activates}
            onChange={event => setActivates(event.target.checked)}
          />
        )}
        <div className={styles.buttons}>
          <Button
            look="primary"
            busy={isBusy}
            disabled={!problems || errors.length > 0}
            onClick={() => void publish()}
          >
            {texts().publish}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
