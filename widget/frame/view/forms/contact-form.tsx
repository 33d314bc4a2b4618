/** A request for the visitor's contact data, answered in a form. */
import { canWrite } from '../../store.ts'
import type { ClaimKey } from '../../types.ts'
import { useChat } from '../context.ts'
import { Icon } from '../icons.tsx'
import { LinkedText } from '../text.tsx'
import { ClaimsForm } from './fields.tsx'

const keys: ClaimKey[] = ['name', 'email', 'phone']

export function ContactForm({ messageId, text }: { messageId: string | null; text: string }) {
  const { chat, state, texts } = useChat()
  const isAnswered = [...state.messages, ...state.pending].some(
    ({ replyTo, content }) => replyTo === messageId && content.type === 'formResponse',
  )
  const { visitor } = state
  return (
    <div class="bubble card">
      <p class="card-text" dir="auto">
        <LinkedText text={text} />
      </p>
      {isAnswered ? (
        <p class="answered">
          <Icon name="check" /> {texts.sent}
        </p>
      ) : !canWrite(state) ? null : (
        <ClaimsForm
          fields={keys.map(key => ({ key, label: null, isRequired: key === 'email' }))}
          initial={Object.fromEntries(keys.flatMap(key => (visitor?.[key] ? [[key, visitor[key]]] : [])))}
          submitText={texts.submit}
          onSubmit={values =>
            chat.send({ type: 'formResponse', formResponse: { values } }, messageId ?? undefined)
          }
        />
      )}
    </div>
  )
}
