/** Editing and deleting notes: authors change their own, owners and admins delete any. */
import { useState } from 'react'
import { getSignedIn, hasScope } from '../../../api/session.ts'
import { t } from '../../../i18n/i18n.ts'
import { IconButton } from '../../../ui/controls/button.tsx'
import { PencilIcon, TrashIcon } from '../../../ui/controls/icons.tsx'
import { useKeptFocus } from '../../../ui/focus/use-kept-focus.ts'
import { lazyPart } from '../../../ui/layout/lazy-part.tsx'
import type { Note } from '../../state/thread-entries.ts'
import styles from '../thread.module.css'
import type { NoteDialogProps } from './note-dialogs.tsx'

const DeleteNoteDialog = lazyPart<NoteDialogProps>(
  async () => (await import('../../later.ts')).DeleteNoteDialog,
)
const EditNoteDialog = lazyPart<NoteDialogProps>(async () => (await import('../../later.ts')).EditNoteDialog)

export function NoteTools({ note }: { note: Note }) {
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const { me } = getSignedIn()
  const isOwn = note.authorId === me.id
  const canDelete = hasScope('note:delete') && (isOwn || me.role !== 'agent')
  const close = () => setDialog(undefined)
  return (
    <div ref={useKeptFocus<HTMLDivElement>()} className={styles.tools}>
      {isOwn && hasScope('note:update') && (
        <IconButton icon={PencilIcon} label={t.editNote} onClick={() => setDialog('edit')} />
      )}
      {canDelete && <IconButton icon={TrashIcon} label={t.deleteNote} onClick={() => setDialog('delete')} />}
      {dialog === 'edit' && <EditNoteDialog note={note} onClose={close} />}
      {dialog === 'delete' && <DeleteNoteDialog note={note} onClose={close} />}
    </div>
  )
}
