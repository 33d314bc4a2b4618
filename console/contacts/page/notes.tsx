/** Internal notes about the contact. The author changes a note; the author, owners and admins delete it. */
import { type FormEvent, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { formatDay, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import details from '../../inbox/details/details.module.css'
import { NoteBox } from '../../inbox/thread/notes/note.tsx'
import { getAuthorName } from '../../inbox/thread/sender.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/field.tsx'
import { PencilIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import contacts from '../contacts.module.css'
import { PagedList } from './paged-list.tsx'
import { texts } from './texts.ts'
import { usePaged } from './use-paged.ts'

type Note = Schemas['ContactNote']

export function Notes({ contactId }: { contactId: string }) {
  const list = usePaged(
    contactId,
    async pageToken => {
      const params = { path: { id: contactId }, query: pageToken ? { pageToken } : {} }
      const page = await call(api.GET('/contacts/{id}/notes', { params }))
      return { items: page.notes, next: page.nextPageToken }
    },
    ({ type, data }) => type === 'changed' && data.kind === 'contact_notes' && data.id === contactId,
  )
  const add = (text: string, key: string) => {
    const params = { path: { id: contactId }, header: { 'Idempotency-Key': key } }
    return call(api.POST('/contacts/{id}/notes', { params, body: { text } }))
  }
  return (
    <div className={contacts.form}>
      {hasScope('note:create') && (
        <NoteForm label={texts().writeNote} action={texts().addNote} onSave={add} onSaved={list.reload} />
      )}
      <PagedList
        label={texts().tabs.notes}
        empty={texts().noNotes}
        list={list}
        render={note => <NoteItem key={note.id} note={note} onChanged={list.reload} />}
      />
    </div>
  )
}

interface NoteFormProps {
  label: string
  action: string
  /** Of the note that is edited. */
  text?: string
  onSave: (text: string, key: string) => Promise<unknown>
  onSaved: () => void
}

function NoteForm({ label, action, text: initial, onSave, onSaved }: NoteFormProps) {
  const form = useKeptFocus<HTMLFormElement>()
  const isEditing = initial !== undefined
  const [text, setText] = useState(initial ?? '')
  const [key, setKey] = useState(createKey)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await onSave(text.trim(), key)
      setText('')
      setKey(createKey())
      onSaved()
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
    setBusy(false)
  }
  return (
    <form ref={form} className={contacts.form} onSubmit={event => void submit(event)}>
      <TextArea
        label={label}
        rows={3}
        maxLength={10_000}
        value={text}
        autoFocus={isEditing}
        data-focus={isEditing ? undefined : 'next'}
        onChange={event => setText(event.target.value)}
      />
      <div className={contacts.end}>
        <Button type="submit" busy={isBusy} disabled={text.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function NoteItem({ note, onChanged }: { note: Note; onChanged: () => void }) {
  const row = useKeptFocus<HTMLLIElement>()
  const [isEditing, setEditing] = useState(false)
  const { me } = getSignedIn()
  const isOwn = note.authorId === me.id
  const path = { id: note.contactId, noteId: note.id }
  const remove = async () => {
    try {
      await call(api.DELETE('/contacts/{id}/notes/{noteId}', { params: { path } }))
      const restore = () => {
        const params = { path: { id: note.contactId }, header: { 'Idempotency-Key': createKey() } }
        void call(api.POST('/contacts/{id}/notes', { params, body: { text: note.text } })).then(onChanged)
      }
      showToast({ text: t.noteDeleted, action: isOwn ? { label: t.undo, run: restore } : undefined })
      onChanged()
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
  }
  if (isEditing)
    return (
      <li ref={row}>
        <NoteForm
          label={texts().editNote}
          action={t.save}
          text={note.text}
          onSave={text =>
            call(api.PATCH('/contacts/{id}/notes/{noteId}', { params: { path }, body: { text } }))
          }
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      </li>
    )
  return (
    <li ref={row}>
      <NoteBox text={note.text} mentions={[]} author={getAuthorName(note.authorType, note.authorId)} />
      <div className={contacts.line}>
        <span className={details.muted}>
          {formatDay(note.createdAt)}, {formatTime(note.createdAt)}
          {note.updatedAt !== note.createdAt && ` · ${t.edited}`}
        </span>
        {isOwn && hasScope('note:update') && (
          <IconButton icon={PencilIcon} label={texts().editNote} onClick={() => setEditing(true)} />
        )}
        {(isOwn || me.role !== 'agent') && hasScope('note:delete') && (
          <IconButton icon={TrashIcon} label={texts().deleteNote} onClick={() => void remove()} />
        )}
      </div>
    </li>
  )
}
