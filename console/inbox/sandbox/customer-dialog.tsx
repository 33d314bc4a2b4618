/** Chooses an inbox of the sandbox and a customer, known or new, and plays that customer on any screen. */
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { channelNames } from '../channels.ts'
import { loadThread } from '../state/thread-entries.ts'
import type { Conversation } from '../state/views.ts'
import styles from './sandbox.module.css'
import { SandboxPanel } from './sandbox-panel.tsx'
import { useSimulated } from './simulated.ts'
import { texts } from './texts.ts'

type Inbox = Schemas['Inbox']

/** Before the user chooses a customer. */
const examples: Partial<Record<Inbox['channel'], string>> = { socialapp: 'demo.customer' }
const exampleOf = (inbox: Inbox | undefined) => (inbox && examples[inbox.channel]) ?? '+14155550132'

export function CustomerDialog({ onClose }: { onClose: () => void }) {
  const simulated = useSimulated()
  const inboxes = [...getSignedIn().inboxes.values()].filter(({ channel }) => simulated.includes(channel))
  const [inboxId, setInboxId] = useState(inboxes[0]?.id)
  const inbox = inboxes.find(({ id }) => id === inboxId)
  return (
    <Dialog title={t.playCustomer} open onClose={onClose}>
      {inbox ? (
        <div className={styles.panel}>
          <Select label={t.inboxName} value={inbox.id} onChange={({ target }) => setInboxId(target.value)}>
            {inboxes.map(({ id, name, channel }) => (
              <option key={id} value={id}>
                {name} · {channelNames[channel]}
              </option>
            ))}
          </Select>
          <Customer key={inbox.id} inbox={inbox} onClose={onClose} />
        </div>
      ) : (
        <p>{texts().noInbox}</p>
      )}
    </Dialog>
  )
}

function Customer({ inbox, onClose }: { inbox: Inbox; onClose: () => void }) {
  const [from, setFrom] = useState(exampleOf(inbox))
  const { customers, refresh } = useCustomers(inbox.id, from.trim())
  const conversation = customers.find(({ externalId }) => externalId === from.trim())
  const conversationId = conversation?.id
  useEffect(() => {
    // The buttons of the last message can be pressed.
    if (conversationId) void loadThread(conversationId, true)
  }, [conversationId])
  return (
    <>
      <TextField
        label={texts().customer}
        hint={texts().customerHint[inbox.channel === 'socialapp' ? 'id' : 'number']}
        value={from}
        maxLength={200}
        list="known-customers"
        autoComplete="off"
        onChange={event => setFrom(event.target.value)}
      />
      <datalist id="known-customers">
        {customers.map(({ id, externalId, name }) => (
          <option key={id} value={externalId}>
            {name}
          </option>
        ))}
      </datalist>
      {from.trim() !== '' && (
        <SandboxPanel
          customer={{ inboxId: inbox.id, from: from.trim(), name: conversation?.name ?? from.trim() }}
          conversationId={conversationId}
          onActed={refresh}
        />
      )}
      {conversationId && (
        <Link to="/inbox/$conversationId" params={{ conversationId }} search={{}} onClick={onClose}>
          {texts().openConversation}
        </Link>
      )}
    </>
  )
}

const attempts = 10
const pauseMs = 300

/** The customers of the newest conversations; after an action they are read again until the one who acts is among them. */
function useCustomers(inboxId: string, from: string) {
  const [customers, setCustomers] = useState<readonly Conversation[]>([])
  const read = async () => {
    const query = { inboxId, pageSize: 50 }
    const { conversations } = await call(api.GET('/conversations', { params: { query } }))
    setCustomers(conversations)
    return conversations.some(({ externalId }) => externalId === from)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function has no identity of its own
  useEffect(() => {
    read().catch(() => {})
  }, [inboxId])
  const refresh = async () => {
    for (let n = 0; n < attempts; n++) {
      if (await read().catch(() => false)) return
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
  return { customers, refresh: () => void refresh() }
}
