/** One endpoint: state, verification with the response, replay, deletion. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { formatFull } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { CheckCircleIcon, ErrorIcon, PencilIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { attempt, newIntent, useScopes } from '../common/tasks.ts'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import { type Endpoint, EndpointDialog, type EventType } from './endpoint-dialog.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { texts } from './texts.ts'

interface EndpointCardProps {
  endpoint: Endpoint
  available: readonly EventType[]
  onChange: () => Promise<void>
}

export function EndpointCard({ endpoint, available, onChange }: EndpointCardProps) {
  const can = useScopes()
  const [open, setOpen] = useState<'edit' | 'delete' | 'replay'>()
  const close = () => setOpen(undefined)
  const name = endpoint.url ?? texts().endpoint
  const params = { path: { id: endpoint.id } }
  return (
    <section className={styles.card} aria-label={name} data-tone={endpoint.health.disabledReason && 'danger'}>
      <div className={styles.row}>
        <div className={styles.texts}>
          <h2 className={styles.name}>
            {name}
            <EndpointState endpoint={endpoint} />
          </h2>
          {endpoint.description && <p>{endpoint.description}</p>}
        </div>
        {can('webhook:update') && (
          <IconButton icon={PencilIcon} label={common().editThing(name)} onClick={() => setOpen('edit')} />
        )}
        {can('webhook:delete') && (
          <IconButton icon={TrashIcon} label={common().deleteThing(name)} onClick={() => setOpen('delete')} />
        )}
      </div>
      <p className={styles.muted}>{endpoint.eventTypes.join(', ')}</p>
      <Health endpoint={endpoint} />
      {can('webhook:update') && (
        <Controls endpoint={endpoint} onChange={onChange} onReplay={() => setOpen('replay')} />
      )}
      {open === 'edit' && (
        <EndpointDialog endpoint={endpoint} available={available} onSaved={onChange} onClose={close} />
      )}
      {open === 'replay' && <ReplayDialog endpointId={endpoint.id} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={common().deleteThingQuestion(name)}
          effects={texts().deleteEffects}
          confirmLabel={common().remove}
          done={common().deleted(name)}
          onConfirm={async () => {
            await call(api.DELETE('/webhooks/endpoints/{id}', { params }))
            await onChange()
          }}
          onClose={close}
        />
      )}
    </section>
  )
}

function EndpointState({ endpoint: { enabled, verified, health } }: { endpoint: Endpoint }) {
  return (
    <>
      {enabled ? (
        <Status tone="success" icon={CheckCircleIcon}>
          {texts().on}
        </Status>
      ) : (
        <Status tone={health.disabledReason ? 'danger' : undefined} icon={ErrorIcon}>
          {texts().off}
        </Status>
      )}
      <Status>{verified ? texts().verified : texts().notVerified}</Status>
    </>
  )
}

function Health({ endpoint: { health, enabled } }: { endpoint: Endpoint }) {
  const { failingSince, consecutiveFailures, nextAttemptAt, disabledReason } = health
  return (
    <>
      {!enabled && disabledReason && <p>{texts().disabledReasons[disabledReason]}</p>}
      {failingSince && consecutiveFailures > 0 && (
        <p className={styles.error}>{texts().failing(consecutiveFailures, formatFull(failingSince))}</p>
      )}
      {nextAttemptAt && <p className={styles.muted}>{texts().nextAttempt(formatFull(nextAttemptAt))}</p>}
    </>
  )
}

interface ControlsProps {
  endpoint: Endpoint
  onChange: () => Promise<void>
  onReplay: () => void
}

type Verification = Schemas['WebhookVerification']

function Controls({ endpoint, onChange, onReplay }: ControlsProps) {
  const [verification, setVerification] = useState<Verification>()
  const [isBusy, setBusy] = useState(false)
  const path = { id: endpoint.id }
  const verify = async () => {
    setBusy(true)
    await attempt(async () => {
      const params = { path, ...newIntent() }
      setVerification(await call(api.POST('/webhooks/endpoints/{id}/verify', { params })))
      await onChange()
    })
    setBusy(false)
  }
  const enable = () =>
    attempt(async () => {
      await call(api.PATCH('/webhooks/endpoints/{id}', { params: { path }, body: { enabled: true } }))
      await onChange()
    })
  return (
    <>
      <div className={styles.name}>
        <Button busy={isBusy} onClick={() => void verify()}>
          {texts().verify}
        </Button>
        <Button onClick={onReplay}>{texts().replay}</Button>
        {!endpoint.enabled && <LeavingButton onClick={() => void enable()}>{texts().enable}</LeavingButton>}
      </div>
      <p role="status">{verification && describe(verification)}</p>
    </>
  )
}

function describe({ delivered, statusCode, error }: Verification): string {
  if (delivered) return texts().verifyOk(statusCode)
  return statusCode === null ? texts().verifyError(error ?? '') : texts().verifyStatus(statusCode)
}
