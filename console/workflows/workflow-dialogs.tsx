/** Asks before a workflow is activated or deleted, with what it means, and explains why the service refused. */
import { Link } from '@tanstack/react-router'
import type { ApiError } from '../api/errors.ts'
import type { DraftProblemsProps } from '../builder/problems/draft-problems.tsx'
import { FormDialog } from '../settings/common/form.tsx'
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import { texts } from './texts.ts'
import { activate, type Kind, pause, publish, remove, toAddress, type Workflow } from './workflow-api.ts'
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
const DraftProblems = lazyPart<DraftProblemsProps>(
  async () => (await import('../builder/problems/draft-problems.tsx')).DraftProblems,
)

interface ProblemsProps {
  kind: Kind
  workflowId: string
  problem: ApiError | undefined
}

/** Lists what is wrong with a draft that cannot be published. */
function Problems({ kind, workflowId, problem }: ProblemsProps) {
  if (problem?.code !== 'validation_failed') return null
  const { violations } = problem
  return (
    <div role="alert">
      <p>{texts().problems(violations.length)}</p>
      <DraftProblems
        kind={kind}
        workflowId={workflowId}
        violations={violations.slice(0, shownProblems)}
        className={styles.list}
      />
      <Link to={toAddress(kind, workflowId)}>{texts().openEditor}</Link>
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
          <Problems kind={kind} workflowId={id} problem={problem} />
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
