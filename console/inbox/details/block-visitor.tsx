/** Blocks the visitor of a web chat, or ends the block, after a confirmation that names the effects. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { screenTexts, t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import styles from './details.module.css'

const english = {
  block: 'Block visitor',
  blockQuestion: 'Block this visitor?',
  blockHint:
    'The visitor can still read this conversation, but its messages, files and ratings are refused, and it sees that it can no longer write.',
  ofUser: 'The block holds for every browser in which the site identifies this person.',
  ofSession: 'The block holds for this browser. Someone who deletes its data is a new visitor.',
  blocked: 'The visitor is blocked.',
  unblock: 'Unblock visitor',
  unblockQuestion: 'Unblock this visitor?',
  unblockHint: 'The visitor can write again.',
  unblocked: 'The visitor is no longer blocked.',
}
const texts = screenTexts<typeof english>(english, {
  block: 'Besucher sperren',
  blockQuestion: 'Diesen Besucher sperren?',
  blockHint:
    'Der Besucher kann diese Unterhaltung weiterhin lesen, aber seine Nachrichten, Dateien und Bewertungen werden abgelehnt, und er sieht, dass er nicht mehr schreiben kann.',
  ofUser: 'Die Sperre gilt in jedem Browser, in dem die Website diese Person identifiziert.',
  ofSession: 'Die Sperre gilt für diesen Browser. Wer dessen Daten löscht, ist ein neuer Besucher.',
  blocked: 'Der Besucher ist gesperrt.',
  unblock: 'Besucher entsperren',
  unblockQuestion: 'Diesen Besucher entsperren?',
  unblockHint: 'Der Besucher kann wieder schreiben.',
  unblocked: 'Der Besucher ist nicht mehr gesperrt.',
})

type Visitor = Schemas['ConversationVisitor']

interface BlockVisitorProps {
  conversationId: string
  visitor: Visitor
  onChange: (visitor: Visitor) => void
}

export function BlockVisitor({ conversationId, visitor, onChange }: BlockVisitorProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div>
      <Button onClick={() => setAsking(true)}>{visitor.isBlocked ? texts().unblock : texts().block}</Button>
      {isAsking && (
        <Confirmation
          conversationId={conversationId}
          visitor={visitor}
          onChange={onChange}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function Confirmation({
  conversationId,
  visitor,
  onChange,
  onClose,
}: BlockVisitorProps & { onClose: () => void }) {
  // The question of the dialog stays the same, also when a colleague is faster.
  const [{ isBlocked, isVerified }] = useState(visitor)
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const change = async () => {
    setBusy(true)
    try {
      const params = { path: { id: conversationId } }
      const body = { isBlocked: !isBlocked }
      onChange(await call(api.PATCH('/conversations/{id}/visitor', { params, body })))
      showToast({ text: isBlocked ? texts().unblocked : texts().blocked })
      onClose()
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={isBlocked ? texts().unblockQuestion : texts().blockQuestion} open onClose={onClose}>
      <p>{isBlocked ? texts().unblockHint : texts().blockHint}</p>
      {!isBlocked && <p>{isVerified ? texts().ofUser : texts().ofSession}</p>}
      {problem && <p role="alert">{describe(problem)}</p>}
      <div className={styles.dialogActions}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look={isBlocked ? 'primary' : 'danger'} busy={isBusy} onClick={() => void change()}>
          {isBlocked ? texts().unblock : texts().block}
        </Button>
      </div>
    </Dialog>
  )
}
