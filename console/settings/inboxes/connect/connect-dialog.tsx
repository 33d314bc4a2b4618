/** Connects an inbox: a web chat, or numbers or accounts of a provider: first the account, then the numbers of it. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, call, type Schemas } from '../../../api/client.ts'
import { hasScope } from '../../../api/session.ts'
import { t } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../inbox/channels.ts'
import { Checkbox, Select } from '../../../ui/controls/field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { showToast } from '../../../ui/overlays/toasts.ts'
import { Form } from '../../common/form.tsx'
import { useIntent } from '../../common/tasks.ts'
import { useLoaded } from '../../common/use-loaded.tsx'
import styles from '../../settings.module.css'
import { texts as inboxTexts } from '../texts.ts'
import { NewWebchat } from '../webchat/new-webchat.tsx'
import { type Account, AccountFields, emptyAccount, type ProviderChannel } from './account-fields.tsx'
import { texts } from './texts.ts'

interface FoundNumber {
  id: string
  label: string
  isUsable: boolean
}

interface Found {
  numbers: FoundNumber[]
  pendingCredentialId?: string
}

async function findNumbers({ channel, id, token }: Account): Promise<Found> {
  if (channel === 'sms') {
    const params = { path: { accountSid: id } }
    const found = await call(
      api.POST('/smsprovider/{accountSid}/phone-numbers', { params, body: { authToken: token } }),
    )
    const numbers = found.phoneNumbers.map(({ phoneNumberSid, phoneNumber, friendlyName, capabilities }) => ({
      id: phoneNumberSid,
      label: [...new Set([phoneNumber, friendlyName])].filter(Boolean).join(' · '),
      isUsable: capabilities.sms,
    }))
    return { numbers, pendingCredentialId: found.pendingCredentialId }
  }
  const found = await call(api.GET('/chatapp/{wabaId}/phone-numbers', { params: { path: { wabaId: id } } }))
  const numbers = found.phoneNumbers.map(({ id: numberId, displayPhoneNumber, verifiedName }) => ({
    id: numberId,
    label: [displayPhoneNumber, verifiedName].filter(Boolean).join(' · '),
    isUsable: true,
  }))
  return { numbers }
}

function toRequest(account: Account, numberIds: string[], found?: Found): Schemas['CreateInboxRequest'] {
  const { channel, id, token } = account
  if (channel === 'sms')
    return { sms: { pendingCredentialId: found!.pendingCredentialId!, phoneNumberSids: numberIds } }
  const own = token ? { authToken: token } : {}
  if (channel === 'socialapp') return { socialapp: { resourceIds: [id], ...own } }
  return { chatapp: { resourceIds: [id], phoneNumberIds: numberIds, ...own } }
}

/** The numbers of an account with a token of its own cannot be listed before it is connected. */
const needsLookup = ({ channel, token }: Account) => channel === 'sms' || (channel === 'chatapp' && !token)

const channels: readonly Channel[] = ['webchat', 'chatapp', 'socialapp', 'sms']

export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [channel, setChannel] = useState<Channel>()
  const open = (inboxes: readonly Schemas['Inbox'][]) => {
    showToast({ text: texts().connected(inboxes.map(({ name }) => name).join(', ')) })
    onClose()
    void navigate({ to: '/settings/inboxes/$inboxId', params: { inboxId: inboxes[0]!.id } })
  }
  const choice = (
    <Select
      label={texts().kindOfChannel}
      value={channel ?? 'webchat'}
      // Each channel has a form of its own, which contains the choice.
      autoFocus={channel !== undefined}
      onChange={event => setChannel(event.target.value as Channel)}
    >
      {channels.map(item => (
        <option key={item} value={item}>
          {texts().channels[item]}
        </option>
      ))}
    </Select>
  )
  return (
    <Dialog title={inboxTexts().connect} open onClose={onClose}>
      {channel === undefined || channel === 'webchat' ? (
        <NewWebchat choice={choice} onConnected={open} onCancel={onClose} />
      ) : (
        <ConnectAccount
          key={channel}
          channel={channel}
          choice={choice}
          onConnected={open}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

interface ConnectAccountProps {
  channel: ProviderChannel
  /** The choice of the channel, above the first form. */
  choice: ReactNode
  onConnected: (inboxes: readonly Schemas['Inbox'][]) => void
  onCancel: () => void
}

function ConnectAccount({ channel, choice, onConnected, onCancel }: ConnectAccountProps) {
  const intent = useIntent()
  const [account, setAccount] = useState<Account>({ ...emptyAccount, channel })
  const [found, setFound] = useState<Found>()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data: simulated = [] } = useLoaded(listSimulated)
  const connect = async (numberIds: string[]) => {
    const body = toRequest(account, numberIds, found)
    onConnected((await call(api.POST('/inboxes', { body, params: intent(body) }))).inboxes)
  }
  const submitAccount = async () => {
    if (needsLookup(account)) setFound(await findNumbers(account))
    else await connect(account.numberIds.split(/[\s,]+/).filter(Boolean))
  }
  const explain = {
    inbox_already_connected: texts().alreadyConnected,
    inbox_resource_not_found: texts().notFoundAtProvider,
    inbox_provider_refused: texts().providerRefused,
    inbox_provider_unavailable: inboxTexts().providerUnavailable,
  }
  if (found)
    return (
      <Form
        key="numbers"
        onSubmit={() => connect([...chosen])}
        explain={explain}
        submitLabel={texts().connectNow}
        isDisabled={chosen.length === 0}
        onCancel={() => setFound(undefined)}
        cancelLabel={t.back}
      >
        {() => <NumberChoice numbers={found.numbers} chosen={chosen} onChange={setChosen} />}
      </Form>
    )
  return (
    <Form
      key="account"
      onSubmit={submitAccount}
      explain={explain}
      fields={['resourceIds', 'phoneNumberIds', 'authToken']}
      submitLabel={needsLookup(account) ? texts().findNumbers : texts().connectNow}
      onCancel={onCancel}
    >
      {problem => (
        <>
          {choice}
          <AccountFields
            account={account}
            problem={problem}
            isSimulated={simulated.includes(channel)}
            onChange={setAccount}
          />
        </>
      )}
    </Form>
  )
}

async function listSimulated(): Promise<Schemas['Inbox']['channel'][]> {
  return hasScope('sandbox:control') ? (await call(api.GET('/sandbox'))).channels : []
}

interface NumberChoiceProps {
  numbers: readonly FoundNumber[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function NumberChoice({ numbers, chosen, onChange }: NumberChoiceProps) {
  if (!numbers.some(({ isUsable }) => isUsable)) return <p>{texts().noNumbers}</p>
  return (
    <fieldset className={styles.choices}>
      <legend>{texts().numbers}</legend>
      {numbers.map(({ id, label, isUsable }) => (
        <Checkbox
          key={id}
          label={isUsable ? label : `${label} (${texts().notForMessages})`}
          checked={chosen.includes(id)}
          disabled={!isUsable}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter(item => item !== id))
          }
        />
      ))}
    </fieldset>
  )
}
