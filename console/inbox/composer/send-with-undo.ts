/** Sends after the time in which the user can take the messages or the note back into the composer. */
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/overlays/toasts.ts'
import { addToOutbox, type NewEntry, type OutboxEntry, takeBack } from '../state/outbox.ts'

export function sendWithUndo(
  entries: readonly NewEntry[],
  undoSeconds: number,
  onUndo: (contents: OutboxEntry['content'][]) => void,
): void {
  const ids = entries.map(entry => addToOutbox(entry, undoSeconds * 1_000))
  const text = toText(entries[0]!)
  if (undoSeconds === 0) return void (entries[0]?.sendAt && showToast({ text }))
  const undo = () => {
    const removed = ids.flatMap(id => takeBack(id) ?? [])
    if (removed.length > 0) onUndo(removed.map(({ content }) => content))
    if (removed.length < ids.length) showToast({ text: t.alreadySent })
  }
  showToast({ text, action: { label: t.undo, run: undo } }, undoSeconds * 1_000)
}

function toText({ note, sendAt }: NewEntry): string {
  if (note) return t.noteWillBeAdded
  return sendAt ? t.messageScheduled(formatDateTime(new Date(sendAt))) : t.messageWillBeSent
}
