/** Shows a secret once. It closes after the secret was copied or the user has confirmed to have stored it. */
import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/field.tsx'
import { CopyIcon } from '../../ui/controls/icons.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { copyText } from '../../ui/overlays/toasts.ts'
import styles from '../settings.module.css'
import { texts } from '../texts.ts'

interface SecretDialogProps {
  title: string
  /** Explains the use of the secret, and what to do if it is lost. */
  hint: string
  /** Name of the secret for screen readers. */
  label: string
  secret: string
  onClose: () => void
}

export function SecretDialog({ title, hint, label, secret, onClose }: SecretDialogProps) {
  const [isStored, setStored] = useState(false)
  const close = () => {
    if (isStored) onClose()
  }
  const copySecret = async () => {
    if (await copyText(secret, texts().copied)) setStored(true)
  }
  return (
    <Dialog title={title} open onClose={close}>
      <p>{hint}</p>
      <output className={styles.secret} aria-label={label}>
        {secret}
      </output>
      <Checkbox
        label={texts().storedIt}
        checked={isStored}
        onChange={event => setStored(event.target.checked)}
      />
      <div className={styles.actions}>
        <Button icon={CopyIcon} onClick={() => void copySecret()}>
          {texts().copy}
        </Button>
        <Button look="primary" disabled={!isStored} onClick={close}>
          {texts().done}
        </Button>
      </div>
    </Dialog>
  )
}
