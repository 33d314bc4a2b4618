/** Service accounts with their scopes and keys. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PlusIcon } from '../../ui/controls/icons.tsx'
import { Empty } from '../../ui/layout/state-view.tsx'
import { useScopes } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { AccountCard } from './account-card.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { texts } from './texts.ts'

export function Page() {
  const can = useScopes()
  const [isCreating, setCreating] = useState(false)
  const create = can('api_key:create') && (
    <Button look="primary" icon={PlusIcon} onClick={() => setCreating(true)}>
      {texts().create}
    </Button>
  )
  return (
    <SettingsFrame title={common().pages['/settings/service-accounts']} scope="api_key:list" actions={create}>
      {can('api_key:list') && <Accounts isCreating={isCreating} onCreated={() => setCreating(false)} />}
    </SettingsFrame>
  )
}

interface AccountsProps {
  isCreating: boolean
  onCreated: () => void
}

function Accounts({ isCreating, onCreated }: AccountsProps) {
  const state = useLoaded(async () => (await call(api.GET('/service-accounts'))).serviceAccounts)
  return (
    <>
      <p className={styles.muted}>{texts().hint}</p>
      <Loaded state={state}>
        {accounts =>
          accounts.length === 0 ? (
            <Empty title={texts().none} />
          ) : (
            accounts.map(account => (
              <AccountCard key={account.id} account={account} onChange={state.reload} />
            ))
          )
        }
      </Loaded>
      {isCreating && <AccountDialog account={undefined} onSaved={state.reload} onClose={onCreated} />}
    </>
  )
}
