/** Asks before a workflow is activated or deleted, with what it means, and explains why the service refused. */
import type { ApiError } from '../api/errors.ts'
import { FormDialog } from '../settings/common/form.tsx'
import { showToast } from '../ui/toasts.ts'
import { texts } from './texts.ts'
import { activate, type Kind, pause, publish, remove, type Workflow } from './workflow-api.ts'
import styles from './workflows.module.css'

interface DialogProps {
  kind: Kind
  workflow: Workflow
  onDone: () => void
  onClose: () => void
}

/** Sentences for the refusals of the service. */
export function explainRefusals(): Record<string, string> {
  const { explain } = texts()
  return Object.fromEntries([
    ...['journey', 'chatbot'].flatMap(kind => [
      [`${kind}_publisher_rights_lost`, explain.publisherRightsLost],
      [`${kind}_active`, explain.active],
      [`${kind}_not_active`, explain.notActive],
      [`${kind}_changed`, explain.changed],
    ]),
    ['workflow_rights_missing', explain.rightsMissing],
    ['chatbot_scope_taken', explain.scopeTaken],
  ])
}

const shownProblems = 5

/** Lists what is wrong with a draft that cannot be published. */
function Problems({ problem }: { problem: ApiError | undefined }) {
  if (problem?.code !== 'validation_failed') return null
  return (
    <div role="alert">
      <p>{texts().problems(problem.violations.length)}</p>
      <ul className={styles.list}>
        {problem.violations.slice(0, shownProblems).map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            {field}: {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function ActivateDialog({ kind, workflow, onDone, onClose }: DialogProps) {
  const { id, name, publishedVersionId } = workflow
  const isPublished = publishedVersionId !== null
  const submit = async () => {
    if (!isPublished) await publish(kind, id)
    try {
      await activate(kind, id)
    } finally {
      onDone()
    }
    showToast({ text: texts().activated(name) })
  }
  return (
    <FormDialog
      title={texts().activateQuestion(name)}
      submitLabel={isPublished ? texts().activate : texts().publishAndActivate}
      fields={['definition', 'draft']}
      explain={explainRefusals()}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <>
          <p>
            {!isPublished && `${texts().publishesDraft} `}
            {texts().kinds[kind].activateHint}
          </p>
          <Problems problem={problem} />
        </>
      )}
    </FormDialog>
  )
}

export function DeleteDialog({ kind, workflow, onDone, onClose }: DialogProps) {
  const { id, name, status, counts } = workflow
  const isActive = status === 'active'
  const submit = async () => {
    try {
      if (isActive) await pause(kind, id)
      await remove(kind, id)
    } finally {
      onDone()
    }
    showToast({ text: texts().removed(name) })
  }
  return (
    <FormDialog
      title={texts().removeQuestion(name)}
      submitLabel={isActive ? texts().pauseAndRemove : texts().remove}
      danger
      explain={explainRefusals()}
      onSubmit={submit}
      onClose={onClose}
    >
      {() => (
        <ul className={styles.list}>
          {isActive && <li>{texts().pausesFirst}</li>}
          <li>{texts().endsRuns(counts.waiting)}</li>
          <li>{texts().keepsRuns}</li>
        </ul>
      )}
    </FormDialog>
  )
}
