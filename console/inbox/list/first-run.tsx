/**
 * The empty inbox of a new installation plays a customer in the sandbox. A card above the list then sends the first answer
 * and shows how it is sent, delivered and read.
 */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { createStore, useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import buttons from '../../ui/controls/button.module.css'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { CheckIcon, ClockIcon, CloseIcon, PlayIcon } from '../../ui/controls/icons.tsx'
import { describe, describeRefusal, Empty } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { classNames } from '../../ui/styles/class-names.ts'
import { useSimulated } from '../sandbox/simulated.ts'
import { upsert } from '../state/conversations.ts'
import { loadThread, type Message, receiveMessages, useThread } from '../state/thread-entries.ts'
import { withLastMessage } from '../state/views.ts'
import styles from './first-run.module.css'
import { texts } from './first-run-texts.ts'

/** The id of the first conversation: kept while the list fills, until the user closes the card. */
const firstConversation = createStore<string | undefined>(undefined)

/** The view of all open conversations is empty: only in a workspace without any, this is the first run. */
export function EmptyInbox() {
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    call(api.POST('/conversations/counts', { body: { filters: [{}] } })).then(
      ({ counts }) => setNew(counts[0]?.count === 0),
      () => {},
    )
  }, [])
  if (getSignedIn().inboxes.size === 0) return <NoInbox />
  return isNew ? <FirstRun /> : <Empty title={t.emptyAll} />
}

function NoInbox() {
  return (
    <Empty title={texts().noInbox}>
      {hasScope('inbox:create') && (
        <Link to="/settings/inboxes" className={classNames(buttons.button, buttons.primary)}>
          {texts().connect}
        </Link>
      )}
    </Empty>
  )
}

/** A number of the sandbox whose customer also reads what is sent to them. */
const readingCustomer = '15005550050'

function FirstRun() {
  const [isBusy, setBusy] = useState(false)
  const simulated = useSimulated()
  const inboxes = [...getSignedIn().inboxes.values()].filter(({ channel }) => simulated.includes(channel))
  const inbox = inboxes.find(({ channel }) => channel === 'chatapp') ?? inboxes[0]
  if (!inbox) return <Empty title={t.emptyAll} />
  const play = async () => {
    setBusy(true)
    const content = { type: 'text' as const, text: { body: texts().greeting } }
    const from = inbox.channel === 'socialapp' ? readingCustomer : `+${readingCustomer}`
    try {
      await call(api.POST('/sandbox/inbound', { body: { inboxId: inbox.id, from, content } }))
      const conversationId = await findConversation(inbox, from)
      if (conversationId) firstConversation.set(conversationId)
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
    setBusy(false)
  }
  return (
    <Empty title={texts().intro}>
      <Button look="primary" icon={PlayIcon} busy={isBusy} onClick={() => void play()}>
        {t.playCustomer}
      </Button>
    </Empty>
  )
}

const attempts = 20
const pauseMs = 150

/** The conversation begins a moment after the customer has written. */
async function findConversation({ id }: Schemas['Inbox'], from: string): Promise<string | undefined> {
  const query = { inboxId: id, pageSize: 50 }
  for (let n = 0; n < attempts; n++) {
    const { conversations } = await call(api.GET('/conversations', { params: { query } }))
    const found = conversations.find(({ externalId }) => externalId === from)
    if (found) return found.id
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  return undefined
}

export function FirstRunCard() {
  const conversationId = useStore(firstConversation)
  return conversationId ? <FirstAnswer conversationId={conversationId} /> : null
}

function FirstAnswer({ conversationId }: { conversationId: string }) {
  const [messageId, setMessageId] = useState<string>()
  const { entries } = useThread(conversationId)
  useEffect(() => void loadThread(conversationId, true), [conversationId])
  const own = entries.flatMap(entry =>
    entry.type === 'message' && entry.message.senderType === 'user' ? [entry.message] : [],
  )
  // An answer from the thread is as good as one from the card.
  const message = own.find(({ id }) => id === messageId) ?? own[0]
  const close = () => firstConversation.set(undefined)
  return (
    <section className={styles.card} aria-label={texts().title}>
      <div className={styles.head}>
        <p>{message ? texts().answered : texts().customerWrote}</p>
        <IconButton icon={CloseIcon} label={t.close} onClick={close} />
      </div>
      {message ? (
        <Steps message={message} />
      ) : (
        <>
          <p className={styles.quote}>{texts().greeting}</p>
          {hasScope('message:create') && <Answer conversationId={conversationId} onSent={setMessageId} />}
        </>
      )}
      <Link to="/inbox/$conversationId" params={{ conversationId }} search={true} onClick={close}>
        {texts().open}
      </Link>
    </section>
  )
}

interface AnswerProps {
  conversationId: string
  onSent: (messageId: string) => void
}

function Answer({ conversationId, onSent }: AnswerProps) {
  const [text, setText] = useState(() => texts().proposal)
  // The same message for the service while it is repeated.
  const [clientMessageId] = useState(() => crypto.randomUUID())
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiError>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || text.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    const content = { type: 'text' as const, text: { body: text.trim() } }
    const params = { path: { id: conversationId } }
    const body = { content, clientMessageId }
    try {
      const accepted = await call(api.POST('/conversations/{id}/messages', { params, body }))
      const { conversation, message } = accepted
      receiveMessages([message])
      upsert([withLastMessage(conversation, message)])
      onSent(message.id)
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <TextField
        label={texts().answer}
        value={text}
        maxLength={1_000}
        autoFocus
        autoComplete="off"
        error={problem && describeRefusal(problem)}
        onChange={event => setText(event.target.value)}
      />
      <Button look="primary" type="submit" busy={isBusy} disabled={text.trim() === ''}>
        {t.send}
      </Button>
    </form>
  )
}

const order = ['pending', 'sent', 'delivered', 'read']
const steps = ['sent', 'delivered', 'read'] as const

/** The ticks of the answer; a step that the provider skips is done with the next one. */
function Steps({ message: { content, deliveryStatus, deliveryError } }: { message: Message }) {
  const reached = order.indexOf(deliveryStatus)
  return (
    <>
      <p className={styles.quote} data-side="own">
        {content.type === 'text' ? content.text.body : ''}
      </p>
      <ol className={styles.steps} aria-live="polite">
        {steps.map(step => {
          const isDone = order.indexOf(step) <= reached
          const Glyph = isDone ? CheckIcon : ClockIcon
          const name = texts().steps[step]
          return (
            <li key={step} data-done={isDone}>
              <Glyph />
              <span aria-hidden="true">{name}</span>
              <span className={styles.hidden}>
                {isDone ? texts().stepDone(name) : texts().stepOpen(name)}
              </span>
            </li>
          )
        })}
      </ol>
      {deliveryStatus === 'failed' && (
        <p role="alert">
          {t.notDelivered}
          {deliveryError && `: ${t.deliveryReasons[deliveryError.code] ?? deliveryError.message}`}
        </p>
      )}
    </>
  )
}
