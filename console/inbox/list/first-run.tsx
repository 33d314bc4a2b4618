/** The empty inbox of a new installation: plays a customer in the sandbox, so that the first conversation appears. */
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { PlayIcon } from '../../ui/icons.tsx'
import { describe, Empty } from '../../ui/state-view.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useSimulated } from '../sandbox/simulated.ts'

/** The view of all open conversations is empty: only in a workspace without any, this is the first run. */
export function EmptyInbox() {
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    call(api.POST('/conversations/counts', { body: { filters: [{}] } })).then(
      ({ counts }) => setNew(counts[0]?.count === 0),
      () => {},
    )
  }, [])
  return isNew ? <FirstRun /> : <Empty title={t.emptyAll} />
}

function FirstRun() {
  const [isBusy, setBusy] = useState(false)
  const simulated = useSimulated()
  const inboxes = [...getSignedIn().inboxes.values()].filter(({ channel }) => simulated.includes(channel))
  const inbox = inboxes.find(({ channel }) => channel === 'chatapp') ?? inboxes[0]
  if (!inbox) return <Empty title={t.emptyAll} />
  const play = async () => {
    setBusy(true)
    const content = { type: 'text' as const, text: { body: t.sandboxGreeting } }
    const body = {
      inboxId: inbox.id,
      from: inbox.channel === 'socialapp' ? 'demo.customer' : '+14155550132',
      content,
    }
    try {
      await call(api.POST('/sandbox/inbound', { body }))
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
    setBusy(false)
  }
  return (
    <Empty title={t.firstRun}>
      <Button look="primary" icon={PlayIcon} busy={isBusy} onClick={() => void play()}>
        {t.playCustomer}
      </Button>
    </Empty>
  )
}
