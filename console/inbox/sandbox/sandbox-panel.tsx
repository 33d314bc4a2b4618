/** Plays the customer of the open conversation in the sandbox: write, read, react, and let time pass. */
import { type FormEvent, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { describe } from '../../ui/state-view.tsx'
import { showToast } from '../../ui/toasts.ts'
import { type Message, useThread } from '../state/thread-entries.ts'
import type { Conversation } from '../state/views.ts'
import styles from './sandbox.module.css'

type SandboxContent = Schemas['SandboxContent']

const hourSeconds = 3_600

export function SandboxPanel({ conversation }: { conversation: Conversation }) {
  const [text, setText] = useState('')
  const last = useLastMessage(conversation.id)
  const act = async (content: SandboxContent): Promise<boolean> => {
    const { inboxId, externalId: from } = conversation
    return run(() => call(api.POST('/sandbox/inbound', { body: { inboxId, from, content } })))
  }
  const write = async (event: FormEvent) => {
    event.preventDefault()
    const body = text.trim()
    if (body !== '' && (await act({ type: 'text', text: { body } }))) setText('')
  }
  const advance = (hours: number) =>
    run(() => call(api.POST('/sandbox/clock', { body: { advanceSeconds: hours * hourSeconds } })))
  return (
    <div className={styles.panel} data-sandbox>
      <form className={styles.form} onSubmit={event => void write(event)}>
        <TextField
          label={t.writeAsCustomer(conversation.name)}
          value={text}
          autoComplete="off"
          onChange={event => setText(event.target.value)}
        />
        <Button type="submit">{t.send}</Button>
      </form>
      <div className={styles.choices}>
        {listReplies(last).map(({ label, content }) => (
          <Button key={label} onClick={() => void act(content)}>
            {label}
          </Button>
        ))}
        <Button onClick={() => void advance(1)}>{t.advanceHours(1)}</Button>
        <Button onClick={() => void advance(24)}>{t.advanceHours(24)}</Button>
      </div>
    </div>
  )
}

async function run(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request()
    return true
  } catch (error) {
    const problem = ApiError.from(error)
    showToast({ text: problem.code === 'sandbox_off' ? t.sandboxOff : describe(problem), tone: 'danger' })
    return false
  }
}

/** The last message to the customer that the provider has. */
function useLastMessage(conversationId: string): Message | undefined {
  const entry = useThread(conversationId).entries.findLast(
    item =>
      item.type === 'message' && item.message.senderType !== 'customer' && item.message.channelMessageId,
  )
  return entry?.type === 'message' ? entry.message : undefined
}

/** What the customer can do with the last message: react to it, or press one of its buttons. */
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
    label: t.press(title),
    content: { type: 'reply' as const, reply: { id, title } },
  }))
  return [...buttons, reaction]
}
