/** Attempts to deliver events, newest first, with the response of the endpoint. The filter is in the address. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { formatFull, formatNumber } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { IconButton } from '../../ui/controls/button.tsx'
import { Checkbox, Select } from '../../ui/controls/field.tsx'
import { CheckCircleIcon, ErrorIcon, RetryIcon } from '../../ui/controls/icons.tsx'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { Row } from '../common/row.tsx'
import { attempt, newIntent, useScopes } from '../common/tasks.ts'
import { useAddress } from '../common/use-address.ts'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import type { Endpoint, EventType } from './endpoint-dialog.tsx'
import { texts } from './texts.ts'
import { type Attempt, type AttemptFilter, useAttempts } from './use-attempts.ts'

interface AttemptsProps {
  endpoints: readonly Endpoint[]
  available: readonly EventType[]
  onNew: () => Promise<void>
}

export function Attempts({ endpoints, available, onNew }: AttemptsProps) {
  const [isLive, setLive] = useState(true)
  const [address, setAddress] = useAddress()
  const { endpointId, status, eventType } = address
  const filter = {
    ...(endpointId ? { endpointId } : {}),
    ...(status ? { status } : {}),
    ...(eventType ? { eventType } : {}),
  } as AttemptFilter
  const { items, hasMore, error, poll, loadMore } = useAttempts(filter, isLive, () => void onNew())
  return (
    <Section title={texts().attempts}>
      <p className={styles.muted}>{texts().attemptsHint}</p>
      <div className={styles.grid}>
        <Choice
          label={texts().endpoint}
          any={texts().anyEndpoint}
          value={endpointId}
          options={endpoints.map(({ id, url }) => [id, url ?? id])}
          onChange={value => setAddress({ endpointId: value })}
        />
        <Choice
          label={texts().status}
          any={texts().anyStatus}
          value={status}
          options={[
            ['succeeded', texts().succeeded],
            ['failed', texts().failed],
          ]}
          onChange={value => setAddress({ status: value })}
        />
        <Choice
          label={texts().eventType}
          any={texts().anyEvent}
          value={eventType}
          options={[...available, 'webhook.test'].map(type => [type, type])}
          onChange={value => setAddress({ eventType: value })}
        />
        <Checkbox label={texts().live} checked={isLive} onChange={event => setLive(event.target.checked)} />
      </div>
      {error && !items && <Failure error={error} onRetry={() => void poll()} />}
      {!items && !error && <Loading rows={3} />}
      {items?.length === 0 && <p className={styles.muted}>{texts().noAttempts}</p>}
      <ul aria-label={texts().attempts}>
        {items?.map(item => (
          <AttemptRow
            key={item.id}
            attempt={item}
            endpoint={endpoints.length > 1 ? endpoints.find(({ id }) => id === item.endpointId) : undefined}
            onResent={poll}
          />
        ))}
      </ul>
      {hasMore && (
        <div>
          <LeavingButton onClick={() => void attempt(loadMore)}>{common().more}</LeavingButton>
        </div>
      )}
    </Section>
  )
}

interface ChoiceProps {
  label: string
  any: string
  value: string | undefined
  options: readonly (readonly [string, string])[]
  onChange: (value: string | undefined) => void
}

function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  return (
    <Select label={label} value={value ?? ''} onChange={event => onChange(event.target.value || undefined)}>
      <option value="">{any}</option>
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

interface AttemptRowProps {
  attempt: Attempt
  /** Undefined if there is no other one. */
  endpoint: Endpoint | undefined
  onResent: () => Promise<void>
}

function AttemptRow({ attempt: item, endpoint, onResent }: AttemptRowProps) {
  const can = useScopes()
  const isOk = item.status === 'succeeded'
  const facts = [
    formatFull(item.attemptedAt),
    texts().attempt(item.attemptNumber),
    item.latencyMs !== null && texts().latency(formatNumber(item.latencyMs)),
    endpoint?.url,
  ]
  const resend = () =>
    attempt(async () => {
      const params = { path: { id: item.id }, ...newIntent() }
      await call(api.POST('/webhooks/attempts/{id}/resend', { params }))
      await onResent()
    }, texts().resent)
  return (
    <Row>
      <details className={styles.texts}>
        <summary>
          <strong>{item.eventType}</strong>{' '}
          <Status tone={isOk ? 'success' : 'danger'} icon={isOk ? CheckCircleIcon : ErrorIcon}>
            {item.responseStatus ?? (isOk ? texts().succeeded : texts().failed)}
          </Status>{' '}
          <span className={styles.muted}>{facts.filter(Boolean).join(' · ')}</span>
        </summary>
        {item.errorText && <p>{item.errorText}</p>}
        <p className={styles.code}>{item.responseBody || texts().noBody}</p>
        <p className={styles.muted}>{item.eventId}</p>
      </details>
      {can('webhook:update') && item.eventType !== 'webhook.test' && (
        <IconButton icon={RetryIcon} label={texts().resend(item.eventType)} onClick={() => void resend()} />
      )}
    </Row>
  )
}
