/** A card with buttons, links or a list to choose from. A choice is sent as an answer to the message, once. */
import { useState } from 'preact/hooks'
import { canWrite } from '../store.ts'
import type { Action, ListRow, Rich } from '../types.ts'
import { useChat } from './context.ts'
import { FileView } from './file-view.tsx'
import { Icon } from './icons.tsx'
import { LinkedText, toSafeUrl } from './text.tsx'

interface RichCardProps {
  /** Null: nothing can be chosen. */
  messageId: string | null
  rich: Rich
}

/** Returns the id of the row or button that the visitor has chosen. */
function useChoice(messageId: string | null): string | null {
  const { state } = useChat()
  for (const { replyTo, content } of [...state.messages, ...state.pending])
    if (replyTo && replyTo === messageId && content.type === 'reply') return content.reply.id
  return null
}

export function RichCard({ messageId, rich }: RichCardProps) {
  const chosen = useChoice(messageId)
  const { chat } = useChat()
  const choose = ({ id, title }: { id: string; title: string }) => {
    if (messageId && !chosen) chat.send({ type: 'reply', reply: { id, title } }, messageId)
  }
  const { header, body, footer, actions } = rich
  return (
    <div class="bubble card">
      {header?.type === 'media' && <FileView file={header.media} />}
      <div class="card-text" dir="auto">
        {header?.type === 'text' && <strong>{header.text}</strong>}
        <p>
          <LinkedText text={body.text} />
        </p>
        {footer && <small>{footer.text}</small>}
      </div>
      <ul class="actions">
        {actions.map(action => (
          <li key={action.title}>
            <ActionButton action={action} chosen={chosen} choose={choose} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ActionProps<T> {
  action: T
  chosen: string | null
  choose(option: { id: string; title: string }): void
}

function ActionButton({ action, chosen, choose }: ActionProps<Action>) {
  if (action.type === 'reply') return <ChoiceButton option={action} chosen={chosen} choose={choose} />
  if (action.type === 'list') return <ListAction action={action} chosen={chosen} choose={choose} />
  const url = action.type === 'url' && toSafeUrl(action.url)
  if (!url) return <span class="action muted">{action.title}</span>
  return (
    <a class="action" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {action.title}
      <Icon name="link" />
    </a>
  )
}

interface ChoiceProps {
  option: ListRow
  chosen: string | null
  choose(option: { id: string; title: string }): void
}

/** Stays reachable by keyboard when it is used up, so that focus is not lost. */
function ChoiceButton({ option, chosen, choose }: ChoiceProps) {
  const { state, texts } = useChat()
  const isChosen = chosen === option.id
  return (
    <button
      type="button"
      class={isChosen ? 'action chosen' : 'action'}
      aria-disabled={chosen !== null || !canWrite(state)}
      onClick={() => choose(option)}
    >
      <span dir="auto">
        {option.title}
        {option.description && <small>{option.description}</small>}
      </span>
      {isChosen && (
        <span role="img" aria-label={texts.chosen}>
          <Icon name="check" />
        </span>
      )}
    </button>
  )
}

function ListAction({ action, chosen, choose }: ActionProps<Extract<Action, { type: 'list' }>>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="action list"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || !isOpen) return
          event.stopPropagation()
          setOpen(false)
        }}
      >
        {action.title}
        <Icon name="down" />
      </button>
      {isOpen &&
        action.sections.map(({ title, rows }) => (
          <div key={title ?? rows[0]?.id} class="rows">
            {title && <h3>{title}</h3>}
            <ul>
              {rows.map(row => (
                <li key={row.id}>
                  <ChoiceButton option={row} chosen={chosen} choose={choose} />
                </li>
              ))}
            </ul>
          </div>
        ))}
    </>
  )
}
