/** Starts a conversation: with a contact or a new number, from an inbox, with a text or a template. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn } from '../../api/session.ts'
import { findPhoneError } from '../../contacts/phone.ts'
import { formatWhen } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { type FoundContact, useFoundContacts } from '../../segments/find-contacts.ts'
import { TemplatePicker } from '../../templates/template-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Select, TextArea, TextField } from '../../ui/controls/field.tsx'
import { describeRefusal } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { createKey } from '../bulk/follow-bulk.ts'
import { channelNames } from '../channels.ts'
import { upsert } from '../state/conversations.ts'
import { type Conversation, withLastMessage } from '../state/views.ts'
import styles from './list.module.css'
import { texts } from './new-conversation-texts.ts'

interface Recipient {
  name: string
  phone: string | null
  /** Undefined for a new number. */
  contactId?: string
}

export interface NewConversationProps {
  onClose: () => void
}

export function NewConversation({ onClose }: NewConversationProps) {
  const [recipient, setRecipient] = useState<Recipient>()
  const navigate = useNavigate()
  const open = (conversationId: string) => {
    onClose()
    void navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: true })
  }
  return (
    <Dialog title={t.newConversation} open onClose={onClose}>
      {recipient ? (
        <FirstMessage recipient={recipient} onBack={() => setRecipient(undefined)} onOpen={open} />
      ) : (
        <FindRecipient onChoose={setRecipient} />
      )}
    </Dialog>
  )
}

const toRecipient = ({ id, name, phone, email }: FoundContact): Recipient => ({
  contactId: id,
  phone,
  name: name ?? phone ?? email ?? id,
})

function FindRecipient({ onChoose }: { onChoose: (recipient: Recipient) => void }) {
  const [text, setText] = useState('')
  const found = useFoundContacts(text)
  const phone = text.trim()
  const isNew = phone !== '' && !findPhoneError(phone, false) && found.every(contact => !contact.phone)
  const choices = found.map(contact => ({
    key: contact.id,
    label: [contact.name, contact.phone, contact.email].filter(Boolean).join(' · '),
    recipient: toRecipient(contact),
  }))
  if (isNew) choices.push({ key: 'new', label: texts().writeTo(phone), recipient: { name: phone, phone } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = choices
    if (first) onChoose(first.recipient)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={texts().to}
        hint={texts().toHint}
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={event => setText(event.target.value)}
      />
      <ul>
        {choices.map(({ key, label, recipient }) => (
          <li key={key}>
            <Button look="plain" onClick={() => onChoose(recipient)}>
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </form>
  )
}

/** The inboxes from which the user may write first. */
function listInboxes(): Schemas['Inbox'][] {
  const { me, inboxes } = getSignedIn()
  return [...inboxes.values()].filter(
    ({ channel, teamId }) =>
      (channel === 'chatapp' || channel === 'sms') &&
      (me.role !== 'agent' || teamId === null || me.teamIds.includes(teamId)),
  )
}

interface FirstMessageProps {
  recipient: Recipient
  onBack: () => void
  onOpen: (conversationId: string) => void
}

function FirstMessage({ recipient, onBack, onOpen }: FirstMessageProps) {
  const inboxes = listInboxes()
  const [inboxId, setInboxId] = useState(inboxes[0]?.id)
  const inbox = inboxes.find(({ id }) => id === inboxId)
  const [text, setText] = useState('')
  const [isPicking, setPicking] = useState(false)
  const { send, problem, isBusy } = useSend(recipient, inbox, onOpen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') void send({ type: 'text', text: { body: text.trim() } })
  }
  if (isPicking && inbox)
    return (
      <TemplatePicker
        inboxId={inbox.id}
        refusal={problem && { reason: toReason(problem), violations: problem.violations }}
        isBusy={isBusy}
        onClose={() => setPicking(false)}
        onSend={content => void send(content)}
      />
    )
  const obstacle = !inbox ? texts().noInbox : recipient.phone === null ? texts().noPhone : undefined
  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <strong>{texts().recipient(recipient.name)}</strong>{' '}
        <Button look="plain" onClick={onBack}>
          {texts().change}
        </Button>
      </div>
      <Existing contactId={recipient.contactId} onOpen={onOpen} />
      {obstacle ? (
        <p>{obstacle}</p>
      ) : (
        <>
          <Select label={texts().from} value={inboxId} onChange={({ target }) => setInboxId(target.value)}>
            {inboxes.map(({ id, name, channel }) => (
              <option key={id} value={id}>
                {name} · {channelNames[channel]}
              </option>
            ))}
          </Select>
          <TextArea
            label={texts().message}
            rows={4}
            autoFocus
            value={text}
            onChange={event => setText(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
            }}
          />
          {problem && <p role="alert">{toReason(problem)}</p>}
          <div className={styles.formActions}>
            {inbox?.channel === 'chatapp' && (
              <Button onClick={() => setPicking(true)}>{texts().template}</Button>
            )}
            <Button look="primary" type="submit" busy={isBusy} disabled={text.trim() === ''}>
              {t.send}
            </Button>
          </div>
        </>
      )}
    </form>
  )
}

const isBlocked = (code: string): code is keyof typeof t.blocked => Object.hasOwn(t.blocked, code)

function toReason(problem: ApiError): string {
  if (isBlocked(problem.code)) return t.blocked[problem.code]
  return describeRefusal(problem)
}

type Content = Schemas['OutboundMessageContent']

/** One key for one message: a retry after a lost response sends nothing twice. */
function useSend(
  { contactId, phone }: Recipient,
  inbox: Schemas['Inbox'] | undefined,
  onSent: (conversationId: string) => void,
) {
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const intent = useRef({ text: '', key: '' })
  const send = async (content: Content) => {
    if (!inbox || isBusy) return
    const recipient = contactId
      ? { type: 'contact' as const, contactId, channel: inbox.channel }
      : { type: 'phone' as const, phoneNumber: phone! }
    const body = { recipient, inboxId: inbox.id, content }
    const text = JSON.stringify(body)
    if (intent.current.text !== text) intent.current = { text, key: createKey() }
    setBusy(true)
    setProblem(undefined)
    try {
      const headers = { 'Idempotency-Key': intent.current.key, Prefer: 'handling=strict' }
      const { conversation, message } = await call(api.POST('/messages', { body, headers }))
      upsert([withLastMessage(conversation, message)])
      onSent(conversation.id)
    } catch (error) {
      const failure = ApiError.from(error)
      // A refusal is stored with the key: another attempt is another request.
      if (!failure.isTemporary) intent.current.text = ''
      setProblem(failure)
      setBusy(false)
    }
  }
  return { send, problem, isBusy }
}

interface ExistingProps {
  contactId: string | undefined
  onOpen: (conversationId: string) => void
}

/** The conversations that the user may continue instead. */
function Existing({ contactId, onOpen }: ExistingProps) {
  const [found, setFound] = useState<readonly Conversation[]>([])
  useEffect(() => {
    if (!contactId) return
    let isCurrent = true
    const query = { contactId, pageSize: 5 }
    call(api.GET('/conversations', { params: { query } })).then(
      ({ conversations }) => isCurrent && setFound(conversations),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [contactId])
  if (found.length === 0) return null
  return (
    <section aria-label={texts().existing}>
      <h3>{texts().existing}</h3>
      <ul>
        {found.map(({ id, channel, status, lastMessageAt }) => (
          <li key={id}>
            <Button look="plain" onClick={() => onOpen(id)}>
              {channelNames[channel]} · {status === 'open' ? t.statusOpen : t.statusClosed} ·{' '}
              {formatWhen(lastMessageAt)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
