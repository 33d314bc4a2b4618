/**
 * The keys that sign requests. The first request for them reveals the text of a new key, so the user asks for them: a page
 * that is opened by chance must not use up that one time.
 */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { TrashIcon } from '../../ui/controls/icons.tsx'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { Row } from '../common/row.tsx'
import { SecretDialog } from '../common/secret-dialog.tsx'
import { attempt, newIntent, useScopes } from '../common/tasks.ts'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts } from './texts.ts'

type SigningKey = Schemas['WebhookSigningKey']
type Open = { kind: 'rotate' } | { kind: 'revoke'; key: SigningKey }

export function SigningKeys() {
  const can = useScopes()
  const [keys, setKeys] = useState<readonly SigningKey[]>()
  const [shown, setShown] = useState<SigningKey>()
  const [open, setOpen] = useState<Open>()
  const load = async () => {
    const found = await call(api.GET('/webhooks/signing-keys'))
    setShown(before => before ?? found.keys.find(({ plaintextKey }) => plaintextKey !== undefined))
    // The text of a key stays in the dialog only.
    setKeys(found.keys.map(({ plaintextKey: _, ...key }) => key))
  }
  const rotate = async () => {
    const { key } = await call(api.POST('/webhooks/signing-keys/rotate', { params: newIntent() }))
    setShown(key)
    await load()
  }
  return (
    <Section title={texts().keys}>
      <p className={styles.muted}>{texts().keysHint}</p>
      <ul>
        {keys?.map(key => (
          <KeyRow key={key.id} signingKey={key} onRevoke={() => setOpen({ kind: 'revoke', key })} />
        ))}
      </ul>
      <div className={styles.name}>
        {!keys && <LeavingButton onClick={() => void attempt(load)}>{texts().showKeys}</LeavingButton>}
        {keys && can('webhook:update') && (
          <Button onClick={() => setOpen({ kind: 'rotate' })}>{texts().rotate}</Button>
        )}
      </div>
      {open && (
        <KeyQuestion open={open} onRotate={rotate} onRevoked={load} onClose={() => setOpen(undefined)} />
      )}
      {shown?.plaintextKey && (
        <SecretDialog
          title={texts().secretTitle(shown.version)}
          hint={texts().secretHint}
          label={texts().secretLabel}
          secret={shown.plaintextKey}
          onClose={() => setShown(undefined)}
        />
      )}
    </Section>
  )
}

function KeyRow({ signingKey, onRevoke }: { signingKey: SigningKey; onRevoke: () => void }) {
  const can = useScopes()
  const { version, last4, status, expiresAt } = signingKey
  return (
    <Row>
      <div className={styles.texts}>
        <p className={styles.name}>
          {texts().keyOf(version)}
          {status === 'active' ? (
            <Status tone="success">{texts().active}</Status>
          ) : (
            <Status tone="warning">{texts().expiring(formatDateTime(new Date(expiresAt!)))}</Status>
          )}
        </p>
        <p className={styles.muted}>{texts().keyEnd(last4)}</p>
      </div>
      {status === 'expiring' && can('webhook:update') && (
        <IconButton icon={TrashIcon} label={texts().revoke(version)} onClick={onRevoke} />
      )}
    </Row>
  )
}

interface KeyQuestionProps {
  open: Open
  onRotate: () => Promise<void>
  onRevoked: () => Promise<void>
  onClose: () => void
}

function KeyQuestion({ open, onRotate, onRevoked, onClose }: KeyQuestionProps) {
  if (open.kind === 'rotate')
    return (
      <ConfirmDialog
        title={texts().rotateQuestion}
        effects={texts().rotateEffects}
        confirmLabel={texts().rotate}
        explain={{ too_many_requests: texts().rotateTooOften }}
        onConfirm={onRotate}
        onClose={onClose}
      />
    )
  const { id, version } = open.key
  const revoke = async () => {
    const params = { path: { id }, ...newIntent() }
    await call(api.POST('/webhooks/signing-keys/{id}/revoke', { params }))
    await onRevoked()
  }
  return (
    <ConfirmDialog
      title={texts().revokeQuestion(version)}
      effects={texts().revokeEffects}
      confirmLabel={texts().revokeNow}
      done={texts().revoked(version)}
      onConfirm={revoke}
      onClose={onClose}
    />
  )
}
