/** Lists the inboxes with their health. Owners and admins connect further ones. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { CreateButton } from '../common/create-button.tsx'
import { EmptyList } from '../common/empty-list.tsx'
import { useScopes } from '../common/tasks.ts'
import { hasItems, Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { ConnectDialog } from './connect/connect-dialog.tsx'
import { InboxCard } from './inbox-card.tsx'
import { texts } from './texts.ts'

export function Page() {
  const can = useScopes()
  const state = useLoaded(async () => (await call(api.GET('/inboxes'))).inboxes, { kinds: ['inbox'] })
  const [isConnecting, setConnecting] = useState(false)
  const connect = can('inbox:create') && (
    <CreateButton label={texts().connect} onClick={() => setConnecting(true)} />
  )
  return (
    <SettingsFrame
      title={common().pages['/settings/inboxes']}
      scope="inbox:list"
      actions={hasItems(state) && connect}
    >
      {hasItems(state) && <p className={styles.muted}>{texts().hint}</p>}
      <Loaded state={state}>
        {inboxes =>
          inboxes.length === 0 ? (
            <EmptyList title={texts().none} hint={texts().hint}>
              {connect}
            </EmptyList>
          ) : (
            <ul className={styles.cards}>
              {inboxes.map(inbox => (
                <InboxCard key={inbox.id} inbox={inbox} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isConnecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </SettingsFrame>
  )
}
