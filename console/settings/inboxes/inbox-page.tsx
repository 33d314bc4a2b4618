/** One inbox: health, settings, token, templates and flows, deletion. */
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CheckCircleIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { attempt, newIntent, useScopes } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { Catalogue } from './catalogue.tsx'
import { DeleteInbox } from './delete-inbox.tsx'
import { type Inbox, InboxFacts, InboxState, Issues, useHealth } from './inbox-health.tsx'
import { InboxSettings } from './inbox-settings.tsx'
import { InboxSurvey } from './inbox-survey.tsx'
import { InboxToken } from './inbox-token.tsx'
import { texts } from './texts.ts'
import { EmbedCode } from './webchat/embed-code.tsx'
import { IdentityKey } from './webchat/identity-key.tsx'
import { WebchatSettings } from './webchat/webchat-settings.tsx'

export function Page() {
  const { inboxId = '' } = useParams({ strict: false })
  const path = { id: inboxId }
  const state = useLoaded(() => call(api.GET('/inboxes/{id}', { params: { path } })), {
    kinds: ['inbox'],
    key: inboxId,
  })
  const back = <BackLink to="/settings/inboxes">{common().pages['/settings/inboxes']}</BackLink>
  const title = state.data?.name ?? common().pages['/settings/inboxes']
  return (
    <SettingsFrame title={title} scope="inbox:read" actions={back}>
      <Loaded state={state}>{inbox => <Parts key={inbox.id} inbox={inbox} onChange={state.reload} />}</Loaded>
    </SettingsFrame>
  )
}

function Parts({ inbox, onChange }: { inbox: Inbox; onChange: () => Promise<void> }) {
  const can = useScopes()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <HealthSection inbox={inbox} onChange={onChange} />
      {inbox.webchat && <EmbedCode inboxKey={inbox.webchat.inboxKey} />}
      {can('inbox:update') && (
        <>
          {inbox.webchat && (
            <>
              <WebchatSettings inboxId={inbox.id} webchat={inbox.webchat} onSaved={onChange} />
              <IdentityKey inboxId={inbox.id} keyId={inbox.webchat.identity.keyId} onChanged={onChange} />
            </>
          )}
          <InboxSettings inbox={inbox} onSaved={onChange} />
          <InboxSurvey inbox={inbox} onSaved={onChange} />
          {!inbox.webchat && <InboxToken inbox={inbox} onSaved={onChange} />}
        </>
      )}
      {inbox.channel === 'chatapp' && <Catalogue inboxId={inbox.id} />}
      {can('inbox:delete') && (
        <Section title={texts().delete}>
          <p className={styles.muted}>{texts().deleteHint}</p>
          <div>
            <Button look="danger" icon={TrashIcon} onClick={() => setDeleting(true)}>
              {texts().delete}
            </Button>
          </div>
        </Section>
      )}
      {isDeleting && <DeleteInbox inbox={inbox} onClose={() => setDeleting(false)} />}
    </>
  )
}

type Check = Schemas['InboxCheck']

function HealthSection({ inbox, onChange }: { inbox: Inbox; onChange: () => Promise<void> }) {
  const can = useScopes()
  const health = useHealth(inbox.id)
  const [check, setCheck] = useState<Check>()
  const [isBusy, setBusy] = useState(false)
  const params = { path: { id: inbox.id } }
  const checkNow = async () => {
    setBusy(true)
    await attempt(async () => {
      setCheck(await call(api.POST('/inboxes/{id}/check', { params: { ...params, ...newIntent() } })))
      await Promise.all([health.reload(), onChange()])
    })
    setBusy(false)
  }
  const register = () =>
    attempt(
      () => call(api.POST('/inboxes/{id}/register', { params: { ...params, ...newIntent() } })),
      texts().registering,
    )
  const isElsewhere =
    inbox.status.reasons.includes('webhook_failing') || (check?.callbacks ?? 'registered') !== 'registered'
  return (
    <Section title={texts().health}>
      <p className={styles.name}>
        <InboxState inbox={inbox} />
      </p>
      <Issues inbox={inbox} health={health.data} />
      <InboxFacts inbox={inbox} health={health.data} />
      {can('inbox:update') && (
        <div className={styles.name}>
          <Button icon={CheckCircleIcon} busy={isBusy} onClick={() => void checkNow()}>
            {texts().checkNow}
          </Button>
          {isElsewhere && <Button onClick={() => void register()}>{texts().register}</Button>}
        </div>
      )}
      {isElsewhere && can('inbox:update') && <p className={styles.muted}>{texts().registerHint}</p>}
      <p role="status">{check && describeCheck(check)}</p>
    </Section>
  )
}

function describeCheck({ ok, failure, callbacks }: Check): string {
  if (!ok) return texts().checkFailed(failure?.message ?? '')
  return [texts().checkOk, callbacks && texts().callbacks[callbacks]].filter(Boolean).join(' ')
}
