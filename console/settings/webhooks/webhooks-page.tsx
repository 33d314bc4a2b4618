/** Webhook endpoints, signing keys, and the attempts to deliver events. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { CreateButton } from '../common/create-button.tsx'
import { EmptyList } from '../common/empty-list.tsx'
import { useScopes } from '../common/tasks.ts'
import { hasItems, Loaded, useLoaded } from '../common/use-loaded.tsx'
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

const scope = 'webhook:read'

export function Page() {
  const can = useScopes()
  if (can(scope)) return <Webhooks />
  return (
    <SettingsFrame title={common().pages['/settings/webhooks']} scope={scope}>
      {null}
    </SettingsFrame>
  )
}

function Webhooks() {
  const can = useScopes()
  const state = useLoaded(load)
  const isFilled = hasItems({ ...state, data: state.data?.endpoints })
  const [isCreating, setCreating] = useState(false)
  const create = can('webhook:update') && (
    <CreateButton label={texts().create} onClick={() => setCreating(true)} />
  )
  return (
    <SettingsFrame title={common().pages['/settings/webhooks']} actions={isFilled && create}>
      {isFilled && <p className={styles.muted}>{texts().hint}</p>}
      <Loaded state={state}>
        {({ endpoints, availableEventTypes }) => (
          <>
            {endpoints.length === 0 && (
              <EmptyList title={texts().none} hint={texts().hint}>
                {create}
              </EmptyList>
            )}
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
                onClose={() => setCreating(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </SettingsFrame>
  )
}
