/** Service accounts with their scopes and keys. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { CreateButton } from '../common/create-button.tsx'
import { EmptyList } from '../common/empty-list.tsx'
import { useScopes } from '../common/tasks.ts'
import { hasItems, Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { AccountCard } from './account-card.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { texts } from './texts.ts'

const scope = 'api_key:list'

export function Page() {
  const can = useScopes()
  if (can(scope)) return <Accounts />
  return (
    <SettingsFrame title={common().pages['/settings/service-accounts']} scope={scope}>
      {null}
    </SettingsFrame>
  )
}

function Accounts() {
  const can = useScopes()
  const state = useLoaded(async () => (await call(api.GET('/service-accounts'))).serviceAccounts)
  const [isCreating, setCreating] = useState(false)
  const create = can('api_key:create') && (
    <CreateButton label={texts().create} onClick={() => setCreating(true)} />
  )
  return (
    <SettingsFrame title={common().pages['/settings/service-accounts']} actions={hasItems(state) && create}>
      {hasItems(state) && <p className={styles.muted}>{texts().hint}</p>}
      <Loaded state={state}>
        {accounts =>
          accounts.length === 0 ? (
            <EmptyList title={texts().none} hint={texts().hint}>
              {create}
            </EmptyList>
          ) : (
            accounts.map(account => (
              <AccountCard key={account.id} account={account} onChange={state.reload} />
            ))
          )
        }
      </Loaded>
      {isCreating && (
        <AccountDialog account={undefined} onSaved={state.reload} onClose={() => setCreating(false)} />
      )}
    </SettingsFrame>
  )
}
