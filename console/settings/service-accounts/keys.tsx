/** The keys of a service account. The text of a key is shown once, after it was created. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { PlusIcon, RetryIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { Row } from '../common/row.tsx'
import { SecretDialog } from '../common/secret-dialog.tsx'
import { newIntent, useScopes } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import type { ServiceAccount } from './account-dialog.tsx'
import { type CreatedKey, NewKeyDialog } from './new-key-dialog.tsx'
import { texts } from './texts.ts'

type ApiKey = Schemas['ApiKey']
type Open = { kind: 'new' } | { kind: 'rotate' | 'revoke'; apiKey: ApiKey }

export function Keys({ account }: { account: ServiceAccount }) {
  const can = useScopes()
  const params = { path: { id: account.id } }
  const state = useLoaded(
    async () => (await call(api.GET('/service-accounts/{id}/api-keys', { params }))).apiKeys,
    { key: account.id },
  )
  const [open, setOpen] = useState<Open>()
  const [created, setCreated] = useState<CreatedKey>()
  const show = async (next: CreatedKey) => {
    setCreated(next)
    await state.reload()
  }
  return (
    <>
      <Loaded state={state} rows={1}>
        {keys => (
          <>
            {keys.length === 0 && <p className={styles.muted}>{texts().noKeys}</p>}
            <ul aria-label={texts().keys}>
              {keys.map(apiKey => (
                <KeyRow key={apiKey.id} apiKey={apiKey} onOpen={setOpen} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {can('api_key:create') && (
        <div>
          <Button icon={PlusIcon} onClick={() => setOpen({ kind: 'new' })}>
            {texts().newKey}
          </Button>
        </div>
      )}
      {open?.kind === 'new' && (
        <NewKeyDialog account={account} onCreated={show} onClose={() => setOpen(undefined)} />
      )}
      {open && open.kind !== 'new' && (
        <KeyQuestion
          kind={open.kind}
          apiKey={open.apiKey}
          onCreated={show}
          onRevoked={state.reload}
          onClose={() => setOpen(undefined)}
        />
      )}
      {created && (
        <SecretDialog
          title={texts().secretTitle(created.name)}
          hint={texts().secretHint}
          label={texts().secretLabel}
          secret={created.key}
          onClose={() => setCreated(undefined)}
        />
      )}
    </>
  )
}

function KeyRow({ apiKey, onOpen }: { apiKey: ApiKey; onOpen: (open: Open) => void }) {
  const can = useScopes()
  const { name, keyPrefix, lastUsedAt, lastUsedFrom, createdAt, expiresAt } = apiKey
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now()
  const facts = [
    lastUsedAt ? texts().lastUsed(formatDateTime(new Date(lastUsedAt)), lastUsedFrom) : texts().neverUsed,
    texts().createdAt(formatDateTime(new Date(createdAt))),
    expiresAt && texts().expiresAt(formatDateTime(new Date(expiresAt))),
  ]
  return (
    <Row>
      <div className={styles.texts}>
        <p className={styles.name}>
          {name}
          <Status>{keyPrefix}…</Status>
          {isExpired && <Status tone="warning">{texts().expired}</Status>}
        </p>
        <p className={styles.muted}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {can('api_key:create') && (
        <IconButton
          icon={RetryIcon}
          label={texts().rotate(name)}
          onClick={() => onOpen({ kind: 'rotate', apiKey })}
        />
      )}
      {can('api_key:revoke') && (
        <IconButton
          icon={TrashIcon}
          label={texts().revoke(name)}
          onClick={() => onOpen({ kind: 'revoke', apiKey })}
        />
      )}
    </Row>
  )
}

interface KeyQuestionProps {
  kind: 'rotate' | 'revoke'
  apiKey: ApiKey
  onCreated: (created: CreatedKey) => Promise<void>
  onRevoked: () => Promise<void>
  onClose: () => void
}

/** A rotated key keeps its lifetime; the old key stays valid until it is revoked. */
function KeyQuestion({ kind, apiKey, onCreated, onRevoked, onClose }: KeyQuestionProps) {
  const { id, name, serviceAccountId, createdAt, expiresAt } = apiKey
  const rotate = async () => {
    const lifetime = expiresAt ? Date.parse(expiresAt) - Date.parse(createdAt) : undefined
    const expiry = lifetime ? { expiresAt: new Date(Date.now() + lifetime).toISOString() } : {}
    const params = { path: { id: serviceAccountId }, ...newIntent() }
    const { key } = await call(
      api.POST('/service-accounts/{id}/api-keys', { params, body: { name, ...expiry } }),
    )
    await onCreated({ name, key })
  }
  const revoke = async () => {
    await call(api.DELETE('/api-keys/{id}', { params: { path: { id } } }))
    await onRevoked()
  }
  return kind === 'rotate' ? (
    <ConfirmDialog
      title={texts().rotateQuestion(name)}
      effects={texts().rotateEffects}
      confirmLabel={texts().rotateNow}
      onConfirm={rotate}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog
      title={texts().revokeQuestion(name)}
      effects={texts().revokeEffects}
      confirmLabel={texts().revokeNow}
      done={texts().revoked(name)}
      onConfirm={revoke}
      onClose={onClose}
    />
  )
}
