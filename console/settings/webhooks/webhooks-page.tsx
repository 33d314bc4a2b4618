/** Webhook endpoints, signing keys, and the attempts to deliver events. */
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
import { Attempts } from './attempts.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { SigningKeys } from './signing-keys.tsx'
import { texts } from './texts.ts'

async function load() {
  const [{ endpoints }, { availableEventTypes }] = await Promise.all([
    call(api.GET('/webhooks/endpoints')),
    call(api.GET('/webhooks')),
  ])
  return { endpoints, availableEventTypes }
}

export function Page() {
  const can = useScopes()
  const [isCreating, setCreating] = useState(false)
  const create = can('webhook:update') && (
    <Button look="primary" icon={PlusIcon} onClick={() => setCreating(true)}>
      {texts().create}
    </Button>
  )
  return (
    <SettingsFrame title={common().pages['/settings/webhooks']} scope="webhook:read" actions={create}>
      {can('webhook:read') && <Webhooks isCreating={isCreating} onCreated={() => setCreating(false)} />}
    </SettingsFrame>
  )
}

interface WebhooksProps {
  isCreating: boolean
  onCreated: () => void
}

function Webhooks({ isCreating, onCreated }: WebhooksProps) {
  const state = useLoaded(load)
  return (
    <>
      <p className={styles.muted}>{texts().hint}</p>
      <Loaded state={state}>
        {({ endpoints, availableEventTypes }) => (
          <>
            {endpoints.length === 0 && <Empty title={texts().none} />}
            {endpoints.map(endpoint => (
              <EndpointCard
                key={endpoint.id}
                endpoint={endpoint}
                available={availableEventTypes}
                onChange={state.reload}
              />
            ))}
            {endpoints.length > 0 && <SigningKeys />}
            {endpoints.length > 0 && (
              <Attempts endpoints={endpoints} available={availableEventTypes} onNew={state.reload} />
            )}
            {isCreating && (
              <EndpointDialog
                endpoint={undefined}
                available={availableEventTypes}
                onSaved={state.reload}
                onClose={onCreated}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
