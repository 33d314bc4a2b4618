/** The form before the chat: the inbox, or the service when it is busy, asks who the visitor is. */
import { useEffect, useRef } from 'preact/hooks'
import type { State } from '../../store.ts'
import type { PreChatField } from '../../types.ts'
import { useChat } from '../context.ts'
import { ClaimsForm } from './fields.tsx'

/** Returns the fields to fill in before the first message. */
export function listPreChatFields(state: State): PreChatField[] {
  const { config, visitor, messages, demandedFields, isPreChatDone } = state
  if (demandedFields.length > 0) return demandedFields.map(key => ({ key, label: null, isRequired: true }))
  if (!config?.preChat || isPreChatDone || visitor?.isVerified || messages.length > 0) return []
  const { fields } = config.preChat
  const isMissing = fields.some(({ key, isRequired }) => isRequired && !visitor?.[key])
  return isMissing || !visitor ? fields : []
}

export function PreChat({ fields }: { fields: PreChatField[] }) {
  const { chat, state, texts } = useChat()
  const { visitor, isOpen } = state
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) section.current?.querySelector('input')?.focus()
  }, [isOpen])
  return (
    <section class="pre-chat" aria-label={texts.preChat} ref={section}>
      <h2>{texts.preChat}</h2>
      <ClaimsForm
        fields={fields}
        initial={Object.fromEntries(
          fields.flatMap(({ key }) => (visitor?.[key] ? [[key, visitor[key]]] : [])),
        )}
        draftName="form"
        submitText={texts.start}
        onSubmit={values => chat.startWith(values)}
      />
    </section>
  )
}
