import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { FormDialog } from '../common/form.tsx'
import { findViolation, useIntent } from '../common/tasks.ts'
import type { ServiceAccount } from './account-dialog.tsx'
import { texts } from './texts.ts'

export interface CreatedKey {
  name: string
  key: string
}

const dayMs = 86_400_000
const lifetimes = { never: 0, month: 30, quarter: 90, year: 365 }

interface NewKeyDialogProps {
  account: ServiceAccount
  onCreated: (created: CreatedKey) => Promise<void>
  onClose: () => void
}

/** Creates a key with a name and an optional end. */
export function NewKeyDialog({ account, onCreated, onClose }: NewKeyDialogProps) {
  const intent = useIntent()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<keyof typeof lifetimes>('never')
  const [openedAt] = useState(Date.now)
  const submit = async () => {
    const days = lifetimes[lifetime]
    const body = { name, ...(days ? { expiresAt: new Date(openedAt + days * dayMs).toISOString() } : {}) }
    const params = { path: { id: account.id }, ...intent(body) }
    const { key } = await call(api.POST('/service-accounts/{id}/api-keys', { body, params }))
    await onCreated({ name, key })
  }
  return (
    <FormDialog
      title={texts().newKeyFor(account.name)}
      submitLabel={texts().newKey}
      fields={['name']}
      explain={{ auth_grant_exceeds_caller: texts().grantExceeds }}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <>
          <TextField
            label={texts().keyName}
            hint={texts().keyNameHint}
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            error={findViolation(problem, 'name')}
            onChange={event => setName(event.target.value)}
          />
          <Select
            label={texts().expires}
            value={lifetime}
            onChange={event => setLifetime(event.target.value as typeof lifetime)}
          >
            {Object.entries(texts().expiry).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        </>
      )}
    </FormDialog>
  )
}
