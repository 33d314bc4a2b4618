/** The dialogs that edit and delete a note. */
import { type FormEvent, useState } from 'react'
import { t } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextArea } from '../../../ui/controls/field.tsx'
import { TrashIcon } from '../../../ui/controls/icons.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { deleteNote, editNote } from '../../actions/message-actions.ts'
import { findMentions } from '../../composer/suggestions/mentions.ts'
import type { Note } from '../../state/thread-entries.ts'
import styles from '../thread.module.css'

const maxLength = 10_000

export interface NoteDialogProps {
  note: Note
  onClose: () => void
}

export function DeleteNoteDialog({ note, onClose }: NoteDialogProps) {
  return (
    <Dialog title={t.deleteNoteQuestion} open onClose={onClose}>
      <p className={styles.preview}>{note.text}</p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          look="danger"
          icon={TrashIcon}
          onClick={() => {
            onClose()
            void deleteNote(note)
          }}
        >
          {t.deleteNote}
        </Button>
      </div>
    </Dialog>
  )
}

export function EditNoteDialog({ note, onClose }: NoteDialogProps) {
  const [text, setText] = useState(note.text)
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    setBusy(true)
    const isSaved = await editNote(note, text.trim(), findMentions(text))
    setBusy(false)
    if (isSaved) onClose()
  }
  return (
    <Dialog title={t.editNote} open onClose={onClose}>
      <form className={styles.form} onSubmit={event => void save(event)}>
        <TextArea
          label={t.note}
          rows={5}
          maxLength={maxLength}
          value={text}
          error={text.trim() === '' ? t.noteEmpty : undefined}
          onChange={event => setText(event.target.value)}
        />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" busy={isBusy}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
