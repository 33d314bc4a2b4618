/** Health of an inbox: its issues with their fixes, the last callback and the rate. */
import type { ReactNode } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { formatDateTime, formatNumber } from '../../i18n/format.ts'
import { channelNames } from '../../inbox/channels.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { CheckCircleIcon, ErrorIcon, WarningIcon } from '../../ui/controls/icons.tsx'
import { type LoadState, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { texts } from './texts.ts'

export type Inbox = Schemas['Inbox']
export type Health = Schemas['InboxHealth']

/** Issues that stop sending. */
const blocking = ['auth_expired', 'payment_issue', 'account_locked', 'account_unknown']

export function toTone({ status: { state, reasons } }: Inbox): 'danger' | 'warning' | 'success' {
  if (state === 'active') return 'success'
  return state === 'disconnected' || reasons.some(reason => blocking.includes(reason)) ? 'danger' : 'warning'
}

const icons = { danger: ErrorIcon, warning: WarningIcon, success: CheckCircleIcon }

export function InboxState({ inbox }: { inbox: Inbox }) {
  const tone = toTone(inbox)
  return (
    <Status tone={tone} icon={icons[tone]}>
      {texts().states[inbox.status.state]}
    </Status>
  )
}

export function toAddress({ config, externalId }: Inbox): string {
  return config.displayPhoneNumber ?? config.phoneNumber ?? config.username ?? externalId
}

/** Only owners and admins may read it. */
export function useHealth(inboxId: string): LoadState<Health | null> {
  return useLoaded(
    async () => {
      if (getSignedIn().me.role === 'agent') return null
      return call(api.GET('/inboxes/{id}/health', { params: { path: { id: inboxId } } }))
    },
    { kinds: ['inbox'], key: inboxId },
  )
}

export function Issues({ inbox, health }: { inbox: Inbox; health: Health | null | undefined }) {
  const issues: { issue: string; since?: string }[] =
    health?.issues ?? inbox.status.reasons.map(issue => ({ issue }))
  return issues.map(({ issue, since }) => (
    <div key={issue}>
      <p className={styles.name}>{texts().issues[issue]?.what ?? issue}</p>
      <p>{texts().issues[issue]?.fix}</p>
      {since && <p className={styles.muted}>{texts().sinceTime(formatDateTime(new Date(since)))}</p>}
    </div>
  ))
}

export function InboxFacts({ inbox, health }: { inbox: Inbox; health: Health | null | undefined }) {
  const team = inbox.teamId ? getSignedIn().teams.get(inbox.teamId)?.name : undefined
  return (
    <dl className={styles.facts}>
      <Fact name={texts().channel}>{channelNames[inbox.channel]}</Fact>
      <Fact name={texts().address}>{toAddress(inbox)}</Fact>
      <Fact name={texts().team}>{team ?? texts().fallbackTeam}</Fact>
      {health && (
        <>
          <Fact name={texts().lastCallback}>{formatTime(health.lastCallbackAt)}</Fact>
          <Fact name={texts().rate}>
            {health.ratePerSecond === null
              ? texts().unlimited
              : texts().perSecond(formatNumber(health.ratePerSecond))}
          </Fact>
          <Fact name={texts().failures}>{formatNumber(health.failures.count)}</Fact>
        </>
      )}
    </dl>
  )
}

export const formatTime = (time: string | null) => (time ? formatDateTime(new Date(time)) : texts().never)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
