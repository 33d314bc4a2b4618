/** Creates or changes a saved reply. Violations are shown at their field. */
import { type FormEvent, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { AttachButton, AttachmentChip } from '../../inbox/composer/chips.tsx'
import { useAttachments } from '../../inbox/composer/use-attachments.ts'
import { loadSavedReplies, type SavedReply } from '../../inbox/state/saved-replies.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea, TextField } from '../../ui/controls/field.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import styles from '../settings.module.css'
import { texts } from '../texts.ts'
import { SharingFields } from './sharing-fields.tsx'

type Values = Pick<SavedReply, 'shortcut' | 'text' | 'scope' | 'teamIds'>

const maxText = 4_096
const empty: Values = { shortcut: '', text: '', scope: 'me', teamIds: [] }
const pick = ({ shortcut, text, scope, teamIds }: SavedReply): Values => ({ shortcut, text, scope, teamIds })

async function save(reply: SavedReply | undefined, values: Values, mediaIds: string[]): Promise<void> {
  const { teamIds, ...rest } = values
  const body = { ...rest, mediaIds, ...(values.scope === 'team' ? { teamIds } : {}) }
  if (reply) await call(api.PATCH('/saved-replies/{id}', { params: { path: { id: reply.id } }, body }))
  else await call(api.POST('/saved-replies', { body }))
  await loadSavedReplies(true)
}

/** Returns the message of the field, if the problem is about it. */
function findError(problem: ApiError | undefined, field: string): string | undefined {
  if (field === 'shortcut' && problem?.code === 'saved_reply_shortcut_taken') return texts().shortcutTaken
  const found = problem?.violations.find(violation => violation.field.split(/[.[]/)[0] === field)
  return found && t.describeReason(found)
}

export function SavedReplyDialog({ reply, onClose }: { reply: SavedReply | undefined; onClose: () => void }) {
  const [values, setValues] = useState(reply ? pick(reply) : empty)
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const { files, attach, remove } = useAttachments(reply?.mediaIds)
  const set = (changed: Partial<Values>) => setValues(before => ({ ...before, ...changed }))
  const isUploading = files.some(({ mediaId }) => mediaId === undefined)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isUploading) return
    setBusy(true)
    try {
      await save(
        reply,
        values,
        files.map(({ mediaId }) => mediaId!),
      )
      onClose()
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  const errors = ['shortcut', 'text', 'teamIds'].map(field => findError(problem, field))
  const [shortcutError, textError, teamError] = errors
  return (
    <Dialog title={reply ? texts().editNamed(reply.shortcut) : texts().newSavedReply} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void submit(event)}>
        <TextField
          label={texts().shortcut}
          hint={texts().shortcutHint}
          value={values.shortcut}
          required
          maxLength={50}
          pattern="\S+"
          autoComplete="off"
          error={shortcutError}
          onChange={event => set({ shortcut: event.target.value })}
        />
        <TextArea
          label={texts().textOfReply}
          hint={texts().placeholderHint}
          rows={6}
          maxLength={maxText}
          value={values.text}
          error={textError}
          onChange={event => set({ text: event.target.value })}
        />
        <div>
          {files.map(file => (
            <AttachmentChip key={file.key} attachment={file} onRemove={() => remove(file.key)} />
          ))}
          <AttachButton onFile={attach} isDisabled={false} />
        </div>
        <SharingFields values={values} error={teamError} onChange={set} />
        {problem && errors.every(error => error === undefined) && (
          <p className={styles.error} role="alert">
            {describe(problem)}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" busy={isBusy} disabled={isUploading}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
