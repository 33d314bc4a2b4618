import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { loadSavedReplies, type SavedReply } from '../../inbox/state/saved-replies.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TrashIcon } from '../../ui/controls/icons.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import styles from '../settings.module.css'
import { texts } from '../texts.ts'

export function DeleteSavedReply({ reply, onClose }: { reply: SavedReply; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await call(api.DELETE('/saved-replies/{id}', { params: { path: { id: reply.id } } }))
      showToast({ text: texts().savedReplyDeleted(reply.shortcut) })
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
    await loadSavedReplies(true)
    onClose()
  }
  return (
    <Dialog title={texts().deleteQuestion(reply.shortcut)} open onClose={onClose}>
      <p className={styles.text}>{reply.text}</p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="danger" icon={TrashIcon} busy={isBusy} onClick={() => void remove()}>
          {texts().remove}
        </Button>
      </div>
    </Dialog>
  )
}
