/** Lists the saved replies that the user sees; those that the user may change can be edited and deleted. */
import { useEffect, useRef, useState } from 'react'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { loadSavedReplies, type SavedReply, savedReplies } from '../../inbox/state/saved-replies.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { IconButton } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { AttachIcon, PencilIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { Empty, Failure, Loading } from '../../ui/layout/state-view.tsx'
import { CreateButton } from '../common/create-button.tsx'
import { Row } from '../common/row.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts } from '../texts.ts'
import { DeleteSavedReply } from './delete-saved-reply.tsx'
import { SavedReplyDialog } from './saved-reply-dialog.tsx'

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; reply: SavedReply }

export function Page() {
  const { items, status, error } = useStore(savedReplies)
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>()
  useEffect(() => void loadSavedReplies(), [])
  const close = () => setOpen(undefined)
  // A list that is read again stays as it is.
  const wasLoaded = useRef(false)
  if (status === 'loaded') wasLoaded.current = true
  const create = hasScope('saved_reply:create') && (
    <CreateButton label={texts().newSavedReply} onClick={() => setOpen({ kind: 'new' })} />
  )
  return (
    <SettingsFrame title={t.savedReplies}>
      <p className={styles.muted}>{texts().savedRepliesHint}</p>
      {status === 'failed' && <Failure error={error} onRetry={() => void loadSavedReplies()} />}
      {items.length === 0 && status === 'loading' && !wasLoaded.current && <Loading rows={3} />}
      {items.length === 0 && status !== 'failed' && wasLoaded.current && (
        <Empty title={texts().noSavedReplies}>{create}</Empty>
      )}
      {items.length > 0 && (
        <>
          <div className={styles.head}>
            <div className={styles.search}>
              <TextField
                label={t.search}
                type="search"
                value={search}
                onChange={event => setSearch(event.target.value)}
              />
            </div>
            {create}
          </div>
          <Rows items={filter(items, search)} onOpen={setOpen} />
        </>
      )}
      {open?.kind === 'delete' && <DeleteSavedReply reply={open.reply} onClose={close} />}
      {open && open.kind !== 'delete' && (
        <SavedReplyDialog reply={open.kind === 'edit' ? open.reply : undefined} onClose={close} />
      )}
    </SettingsFrame>
  )
}

function filter(items: readonly SavedReply[], search: string): readonly SavedReply[] {
  const text = search.trim().toLowerCase()
  return items.filter(item => `${item.shortcut}\n${item.text}`.toLowerCase().includes(text))
}

/** The same rule as the service: agents change their own, and those of teams that they are all members of. */
function canChange({ scope, teamIds }: SavedReply): boolean {
  const { me } = getSignedIn()
  if (scope === 'me' || me.role !== 'agent') return true
  return scope === 'team' && teamIds.every(id => me.teamIds.includes(id))
}

function describeSharing({ scope, teamIds }: SavedReply): string {
  if (scope === 'me') return texts().onlyMe
  if (scope === 'workspace') return texts().everyone
  const { teams } = getSignedIn()
  return teamIds.map(id => teams.get(id)?.name ?? t.team).join(', ')
}

function Rows({ items, onOpen }: { items: readonly SavedReply[]; onOpen: (open: Open) => void }) {
  if (items.length === 0) return <p className={styles.muted}>{t.noResults}</p>
  return (
    <ul>
      {items.map(reply => (
        <ReplyRow key={reply.id} reply={reply} onOpen={onOpen} />
      ))}
    </ul>
  )
}

function ReplyRow({ reply, onOpen }: { reply: SavedReply; onOpen: (open: Open) => void }) {
  const { shortcut, text, mediaIds } = reply
  const isOwn = canChange(reply)
  return (
    <Row>
      <div className={styles.texts}>
        <p className={styles.name}>
          /{shortcut}
          <Status>{describeSharing(reply)}</Status>
          {mediaIds.length > 0 && <Status icon={AttachIcon}>{texts().fileCount(mediaIds.length)}</Status>}
        </p>
        <p className={styles.text}>{text}</p>
      </div>
      {isOwn && hasScope('saved_reply:update') && (
        <IconButton
          icon={PencilIcon}
          label={texts().editNamed(shortcut)}
          onClick={() => onOpen({ kind: 'edit', reply })}
        />
      )}
      {isOwn && hasScope('saved_reply:delete') && (
        <IconButton
          icon={TrashIcon}
          label={texts().deleteNamed(shortcut)}
          onClick={() => onOpen({ kind: 'delete', reply })}
        />
      )}
    </Row>
  )
}
