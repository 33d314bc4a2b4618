/** Whether a reply or a note is written: chosen by buttons or keys, which move the focus into the field. */
import { type RefObject, useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { NoteIcon, ReplyIcon } from '../../ui/controls/icons.tsx'
import type { DraftKind } from '../state/drafts/drafts.ts'
import styles from './composer.module.css'
import { reopened } from './reopened-template.ts'

export function useKind(field: RefObject<HTMLTextAreaElement | null>) {
  const canReply = hasScope('message:create')
  const [kind, setKind] = useState<DraftKind>(canReply ? 'reply' : 'note')
  const choose = (next: DraftKind) => {
    setKind(next)
    // After the field of the other kind is shown.
    requestAnimationFrame(() => field.current?.focus())
  }
  const group = t.conversation
  useActions([
    ...(canReply
      ? [{ id: 'reply', label: t.reply, group, icon: ReplyIcon, run: () => choose('reply') }]
      : []),
    ...(hasScope('note:create')
      ? [{ id: 'note', label: t.addNote, group, icon: NoteIcon, run: () => choose('note') }]
      : []),
  ])
  // A template that returned is a reply.
  return [useStore(reopened) ? 'reply' : kind, choose] as const
}

export function KindSwitch({ kind, onChange }: { kind: DraftKind; onChange: (kind: DraftKind) => void }) {
  if (!hasScope('message:create') || !hasScope('note:create')) return null
  const kinds = [
    ['reply', t.reply],
    ['note', t.note],
  ] as const
  return (
    <div className={styles.kinds} role="group" aria-label={t.kindOfText}>
      {kinds.map(([id, label]) => (
        <button key={id} type="button" aria-pressed={kind === id} onClick={() => onChange(id)}>
          {label}
        </button>
      ))}
    </div>
  )
}
