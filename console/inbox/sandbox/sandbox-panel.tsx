/**
 * Plays a customer in the sandbox: write, send a file, press buttons, react, and let time pass.
 * Also delays or loses the callbacks of the provider.
 */
import { type FormEvent, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { createStore, useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { AttachButton } from '../composer/chips.tsx'
import { type Message, useThread } from '../state/thread-entries.ts'
import styles from './sandbox.module.css'
import { texts } from './texts.ts'

type SandboxContent = Schemas['SandboxContent']

const hourSeconds = 3_600

interface SandboxPanelProps {
  customer: { inboxId: string; from: string; name: string }
  /** With its last message, if its thread is loaded. */
  conversationId: string | undefined
  onActed?: () => void
}

export function SandboxPanel({ customer, conversationId, onActed }: SandboxPanelProps) {
  const [text, setText] = useState('')
  const last = useLastMessage(conversationId)
  const { inboxId, from, name } = customer
  const act = async (content: SandboxContent): Promise<boolean> => {
    const isDone = await run(() => call(api.POST('/sandbox/inbound', { body: { inboxId, from, content } })))
    if (isDone) onActed?.()
    return isDone
  }
  const write = async (event: FormEvent) => {
    event.preventDefault()
    const body = text.trim()
    if (body !== '' && (await act({ type: 'text', text: { body } }))) setText('')
  }
  const sendFile = async (file: File) => {
    const base64 = await toBase64(file)
    const media = { kind: toKind(file.type), base64, mimeType: file.type || undefined, filename: file.name }
    await act({ type: 'media', media })
  }
  const advance = async (hours: number) => {
    const body = { advanceSeconds: hours * hourSeconds }
    if (await run(() => call(api.POST('/sandbox/clock', { body }))))
      showToast({ text: texts().clockAdvanced(hours) })
  }
  return (
    <div className={styles.panel} data-sandbox>
      <form className={styles.form} onSubmit={event => void write(event)}>
        <TextField
          label={texts().writeAs(name)}
          value={text}
          autoComplete="off"
          onChange={event => setText(event.target.value)}
          onKeyDown={event => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <AttachButton label={texts().sendFileAs(name)} onFile={file => void sendFile(file)} />
        <Button type="submit">{t.send}</Button>
      </form>
      <div className={styles.choices}>
        {listReplies(last).map(({ label, content }) => (
          <Button key={label} onClick={() => void act(content)}>
            {label}
          </Button>
        ))}
        <Button onClick={() => void advance(1)}>{texts().advanceHours(1)}</Button>
        <Button onClick={() => void advance(24)}>{texts().advanceHours(24)}</Button>
      </div>
      <CallbackSelect />
    </div>
  )
}

/** Kept while the tab is open: the API does not return the faults. */
const callbacks = createStore<keyof ReturnType<typeof texts>['callbackDelays']>('none')

const faults = {
  seconds: { callbacks: { delay: { ms: 5_000 } } },
  minute: { callbacks: { delay: { ms: 60_000 } } },
  never: { callbacks: { lose: {} } },
}

/** When the provider reports deliveries and messages, for all inboxes of the workspace. */
function CallbackSelect() {
  const value = useStore(callbacks)
  const choose = async (chosen: typeof value) => {
    const isDone = await run(() =>
      chosen === 'none'
        ? call(api.DELETE('/sandbox/faults'))
        : call(api.PUT('/sandbox/faults', { body: faults[chosen] })),
    )
    if (isDone) callbacks.set(chosen)
  }
  return (
    <Select
      label={texts().callbacks}
      hint={texts().callbacksHint}
      value={value}
      onChange={event => void choose(event.target.value as typeof value)}
    >
      {Object.entries(texts().callbackDelays).map(([id, label]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </Select>
  )
}

function toKind(mimeType: string): 'image' | 'video' | 'audio' | 'document' {
  const kind = mimeType.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document'
}

function toBase64(file: File): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

async function run(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request()
    return true
  } catch (error) {
    const problem = ApiError.from(error)
    showToast({
      text: problem.code === 'sandbox_off' ? texts().sandboxOff : describe(problem),
      tone: 'danger',
    })
    return false
  }
}

/** The last message to the customer that the provider has. */
function useLastMessage(conversationId: string | undefined): Message | undefined {
  const entry = useThread(conversationId ?? '').entries.findLast(
    item =>
      item.type === 'message' && item.message.senderType !== 'customer' && item.message.channelMessageId,
  )
  return entry?.type === 'message' ? entry.message : undefined
}

/** The customer's actions on the last message: react to it, or press one of its buttons. */
function listReplies(message: Message | undefined): { label: string; content: SandboxContent }[] {
  if (!message?.channelMessageId) return []
  const providerMessageId = message.channelMessageId
  const reaction = {
    label: t.reactWith('👍'),
    content: { type: 'reaction' as const, reaction: { providerMessageId, emoji: '👍' } },
  }
  const actions = message.content.type === 'rich' ? message.content.rich.actions : []
  const choices = actions.flatMap(action => {
    if (action.type === 'list') return action.sections.flatMap(({ rows }) => rows)
    return action.type === 'reply' ? [action] : []
  })
  const buttons = choices.map(({ id, title }) => ({
    label: texts().press(title),
    content: { type: 'reply' as const, reply: { id, title } },
  }))
  return [...buttons, reaction]
}
