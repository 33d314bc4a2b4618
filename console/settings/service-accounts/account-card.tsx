/** One service account: scopes, state, keys. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { PencilIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { attempt, useScopes } from '../common/tasks.ts'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import type { ServiceAccount } from './account-dialog.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { Keys } from './keys.tsx'
import { texts } from './texts.ts'

interface AccountCardProps {
  account: ServiceAccount
  onChange: () => Promise<void>
}

export function AccountCard({ account, onChange }: AccountCardProps) {
  const { id, name, description, isActive, role, scopes } = account
  const can = useScopes()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const params = { path: { id } }
  const toggle = () =>
    attempt(
      async () => {
        await call(api.PATCH('/service-accounts/{id}', { params, body: { isActive: !isActive } }))
        await onChange()
      },
      isActive ? texts().deactivated(name) : texts().activated(name),
    )
  return (
    <section className={styles.card} aria-label={name}>
      <div className={styles.row}>
        <div className={styles.texts}>
          <h2 className={styles.name}>
            {name}
            {!isActive && <Status tone="warning">{texts().inactive}</Status>}
            <Status>{texts().roles[role]}</Status>
            <Status>{scopes ? texts().scopeCount(scopes.length) : texts().allScopes}</Status>
          </h2>
          <p className={styles.muted}>{description}</p>
        </div>
        <div className={styles.buttons}>
          {can('api_key:create') && (
            <>
              <Button onClick={() => void toggle()}>
                {isActive ? texts().deactivate : texts().activate}
              </Button>
              <IconButton
                icon={PencilIcon}
                label={common().editThing(name)}
                onClick={() => setOpen('edit')}
              />
            </>
          )}
          {can('api_key:revoke') && (
            <IconButton
              icon={TrashIcon}
              label={common().deleteThing(name)}
              onClick={() => setOpen('delete')}
            />
          )}
        </div>
      </div>
      <Keys account={account} />
      {open === 'edit' && <AccountDialog account={account} onSaved={onChange} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={common().deleteThingQuestion(name)}
          effects={texts().deleteEffects}
          confirmLabel={common().remove}
          done={common().deleted(name)}
          onConfirm={async () => {
            await call(api.DELETE('/service-accounts/{id}', { params }))
            await onChange()
          }}
          onClose={close}
        />
      )}
    </section>
  )
}
