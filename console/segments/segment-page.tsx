/** The builder of a segment: name, conditions, their description in a sentence, and matching contacts. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextArea, TextField } from '../ui/controls/field.tsx'
import { TrashIcon } from '../ui/controls/icons.tsx'
import { BackLink } from '../ui/layout/back-link.tsx'
import { Page } from '../ui/layout/page.tsx'
import { describeRefusal, Failure, Loading } from '../ui/layout/state-view.tsx'
import { CheckContact } from './check-contact.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DeleteSegment } from './delete-segment.tsx'
import { isCompleteFilter } from './filter/conditions.ts'
import { describeFilter } from './filter/describe-filter.ts'
import { FilterEditor } from './filter/filter-editor.tsx'
import { useReferences } from './filter/references.ts'
import { Matches } from './matches.tsx'
import styles from './segments.module.css'
import { texts } from './texts.ts'
import { type Draft, useSegment } from './use-segment.ts'
import { UsedBy } from './used-by.tsx'

export function SegmentPage() {
  const { segmentId } = useParams({ from: '/segments/$segmentId' })
  return <Builder key={segmentId} segmentId={segmentId} />
}

function Builder({ segmentId }: { segmentId: string }) {
  const navigate = useNavigate()
  const lists = useReferences()
  const editor = useSegment(
    segmentId,
    id => void navigate({ to: '/segments/$segmentId', params: { segmentId: id }, replace: true }),
  )
  const { segment, draft, isNew, isDirty, error, problem, conflict, isOutdated } = editor
  const [isDeleting, setDeleting] = useState(false)
  const back = <BackLink to="/segments">{texts().segments}</BackLink>
  if (error || !draft) return <Unloaded error={error} back={back} onRetry={editor.reload} />
  const canSave = hasScope(isNew ? 'segment:create' : 'segment:update')
  const isComplete = isCompleteFilter(draft.filter)
  const actions = (
    <>
      {back}
      <Buttons editor={editor} draft={draft} canSave={canSave} onDelete={() => setDeleting(true)} />
    </>
  )
  return (
    <Page title={segment?.name ?? texts().newSegment} label={texts().segments} actions={actions}>
      {isOutdated && isDirty && <p role="status">{texts().changedElsewhere}</p>}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <p className={styles.sentence} role="status">
            {describeFilter(draft.filter, lists)}
          </p>
          {canSave ? (
            <Fields editor={editor} draft={draft} />
          ) : (
            draft.description && <p>{draft.description}</p>
          )}
          {problem && <p role="alert">{describeRefusal(problem)}</p>}
        </div>
        <div className={styles.stack}>
          <Matches filter={isComplete ? draft.filter : undefined} />
          {segment && <CheckContact segment={segment} isDirty={isDirty} lists={lists} />}
          {segment && <UsedBy segmentId={segment.id} />}
        </div>
      </div>
      {conflict && segment && (
        <ConflictDialog
          base={segment}
          theirs={conflict}
          mine={draft}
          lists={lists}
          onTheirs={editor.takeTheirs}
          onBoth={both => void editor.save(conflict.revision, both)}
          onMine={() => void editor.save(conflict.revision)}
          onClose={editor.closeConflict}
        />
      )}
      {isDeleting && segment && <DeleteSegment segment={segment} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

interface UnloadedProps {
  error: unknown
  back: ReactNode
  onRetry: () => void
}

function Unloaded({ error, back, onRetry }: UnloadedProps) {
  return (
    <Page title={texts().segments} label={texts().segments} actions={back}>
      {error ? <Failure error={error} onRetry={onRetry} /> : <Loading rows={6} />}
    </Page>
  )
}

function Fields({ editor, draft }: { editor: ReturnType<typeof useSegment>; draft: Draft }) {
  return (
    <>
      <TextField
        label={texts().name}
        value={draft.name}
        required
        maxLength={200}
        autoComplete="off"
        onChange={event => editor.change({ name: event.target.value })}
      />
      <FilterEditor filter={draft.filter} onChange={filter => editor.change({ filter })} />
      <TextArea
        label={texts().description}
        rows={2}
        maxLength={2_000}
        value={draft.description}
        onChange={event => editor.change({ description: event.target.value })}
      />
    </>
  )
}

interface ButtonsProps {
  editor: ReturnType<typeof useSegment>
  draft: Draft
  canSave: boolean
  onDelete: () => void
}

function Buttons({ editor, draft, canSave, onDelete }: ButtonsProps) {
  const isValid = isCompleteFilter(draft.filter) && draft.name.trim() !== ''
  return (
    <>
      {editor.segment && hasScope('segment:delete') && (
        <Button look="danger" icon={TrashIcon} onClick={onDelete}>
          {texts().remove}
        </Button>
      )}
      {canSave && (
        <Button
          look="primary"
          busy={editor.isBusy}
          disabled={!editor.isDirty || !isValid}
          onClick={() => void editor.save()}
        >
          {t.save}
        </Button>
      )}
    </>
  )
}
