/** Lists the inboxes with their health. Owners and admins connect further ones. */
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
import { ConnectDialog } from './connect/connect-dialog.tsx'
import { InboxCard } from './inbox-card.tsx'
import { texts } from './texts.ts'

export function Page() {
  const can = useScopes()
  const [isConnecting, setConnecting] = useState(false)
  const connect = can('inbox:create') && (
    <Button look="primary" icon={PlusIcon} onClick={() => setConnecting(true)}>
      {texts().connect}
    </Button>
  )
  return (
    <SettingsFrame title={common().pages['/settings/inboxes']} scope="inbox:list" actions={connect}>
      <p className={styles.muted}>{texts().hint}</p>
      <Cards />
      {isConnecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </SettingsFrame>
  )
}

function Cards() {
  const state = useLoaded(async () => (await call(api.GET('/inboxes'))).inboxes, { kinds: ['inbox'] })
  return (
    <Loaded state={state}>
      {inboxes =>
        inboxes.length === 0 ? (
          <Empty title={texts().none} />
        ) : (
          <ul className={styles.cards}>
            {inboxes.map(inbox => (
              <InboxCard key={inbox.id} inbox={inbox} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
