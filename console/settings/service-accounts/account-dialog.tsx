/** Creates or changes a service account. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { Select, TextArea, TextField } from '../../ui/controls/field.tsx'
import { FormDialog } from '../common/form.tsx'
import { findViolation, useIntent } from '../common/tasks.ts'
import { texts as common } from '../texts.ts'
import { ScopeTree } from './scope-tree.tsx'
import { texts } from './texts.ts'

export type ServiceAccount = Schemas['ServiceAccount']

interface AccountDialogProps {
  account: ServiceAccount | undefined
  onSaved: () => Promise<void>
  onClose: () => void
}

type Values = Pick<ServiceAccount, 'name' | 'role' | 'scopes'> & { description: string }

export function AccountDialog({ account, onSaved, onClose }: AccountDialogProps) {
  const intent = useIntent()
  const [values, setValues] = useState<Values>({
    name: account?.name ?? '',
    description: account?.description ?? '',
    role: account?.role ?? 'agent',
    scopes: account?.scopes ?? null,
  })
  const set = (changed: Partial<Values>) => setValues(before => ({ ...before, ...changed }))
  const submit = async () => {
    const { role, scopes, name, description } = values
    if (account) {
      const body = { name, description: description || null, scopes }
      await call(api.PATCH('/service-accounts/{id}', { params: { path: { id: account.id } }, body }))
    } else {
      const body = { name, role, ...(description ? { description } : {}), ...(scopes ? { scopes } : {}) }
      await call(api.POST('/service-accounts', { body, params: intent(body) }))
    }
    await onSaved()
  }
  return (
    <FormDialog
      title={account ? common().editThing(account.name) : texts().create}
      fields={['name', 'description']}
      explain={{ auth_grant_exceeds_caller: texts().grantExceeds }}
      isDisabled={values.scopes?.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <>
          <TextField
            label={common().name}
            required
            maxLength={200}
            autoComplete="off"
            value={values.name}
            error={findViolation(problem, 'name')}
            onChange={event => set({ name: event.target.value })}
          />
          <TextArea
            label={texts().description}
            rows={2}
            maxLength={2000}
            value={values.description}
            error={findViolation(problem, 'description')}
            onChange={event => set({ description: event.target.value })}
          />
          {!account && (
            <Select
              label={texts().role}
              value={values.role}
              onChange={event => set({ role: event.target.value as Values['role'], scopes: null })}
            >
              <option value="agent">{texts().roles.agent}</option>
              <option value="admin">{texts().roles.admin}</option>
            </Select>
          )}
          <ScopeTree role={values.role} value={values.scopes} onChange={scopes => set({ scopes })} />
        </>
      )}
    </FormDialog>
  )
}
