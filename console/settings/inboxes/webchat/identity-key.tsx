/** The key with which the server of the site signs who its visitors are. */
import { useState } from 'react'
import { api, call } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../common/confirm-dialog.tsx'
import { SecretDialog } from '../../common/secret-dialog.tsx'
import { attempt, newIntent } from '../../common/tasks.ts'
import { Section } from '../../section.tsx'
import styles from '../../settings.module.css'
import { texts } from './texts.ts'

interface IdentityKeyProps {
  inboxId: string
  keyId: string | null
  onChanged: () => Promise<void>
}

export function IdentityKey({ inboxId, keyId, onChanged }: IdentityKeyProps) {
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const create = async () => {
    const params = { path: { id: inboxId }, ...newIntent() }
    const created = await call(api.POST('/inboxes/{id}/identity-key', { params, body: {} }))
    setSecret(created.secret)
    await onChanged()
  }
  return (
    <Section title={texts().identity}>
      <p className={styles.muted}>{texts().identityHint}</p>
      <p>{keyId === null ? texts().noKey : `${texts().keyId}: ${keyId}`}</p>
      <div>
        <Button onClick={() => (keyId === null ? void attempt(create) : setAsking(true))}>
          {keyId === null ? texts().createKey : texts().rotateKey}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts().rotateQuestion}
          effects={[texts().rotateHint]}
          confirmLabel={texts().rotateKey}
          onConfirm={create}
          onClose={() => setAsking(false)}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title={texts().keyTitle}
          hint={texts().keyHint}
          label={texts().keyTitle}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Section>
  )
}
