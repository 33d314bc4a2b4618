/** An internal note: visible to colleagues, never sent to the customer. */
import { memo, type ReactNode } from 'react'
import { getSignedIn } from '../../../api/session.ts'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.ts'
import { NoteIcon } from '../../../ui/controls/icons.tsx'
import type { Note } from '../../state/thread-entries.ts'
import { LongText } from '../messages/long-text.tsx'
import { getAuthorName } from '../sender.ts'
import styles from '../thread.module.css'
import { NoteTools } from './note-tools.tsx'

export const NoteView = memo(function NoteView({ note }: { note: Note }) {
  const author = getAuthorName(note.authorType, note.authorId)
  return (
    <article className={styles.message} data-side="own" data-first="true">
      <div className={styles.line}>
        <NoteBox text={note.text} mentions={note.mentions} author={author} />
        <NoteTools note={note} />
      </div>
      <p className={styles.status}>
        <time dateTime={note.createdAt}>{formatTime(note.createdAt)}</time>
        {note.updatedAt !== note.createdAt && <span>{t.edited}</span>}
      </p>
    </article>
  )
})

interface NoteBoxProps {
  text: string
  /** Ids of the mentioned users. */
  mentions: readonly string[]
  author?: string
}

export function NoteBox({ text, mentions, author = t.you }: NoteBoxProps) {
  return (
    <div className={styles.note} dir="auto">
      <p className={styles.noteHead}>
        <NoteIcon />
        {t.noteBy(author)}
      </p>
      <LongText text={text} format={shown => markMentions(shown, mentions)} />
    </div>
  )
}

/** Marks the names of mentioned users. */
function markMentions(text: string, mentions: readonly string[]): ReactNode {
  const { users } = getSignedIn()
  const names = mentions.flatMap(id => users.get(id)?.name ?? [])
  if (names.length === 0) return text
  const escaped = names.map(name => `@${name}`.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return text.split(new RegExp(`(${escaped.join('|')})`)).map((part, position) =>
    position % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <mark key={position} className={styles.mention}>
        {part}
      </mark>
    ) : (
      part
    ),
  )
}
