/** Announces messages of the customer to screen readers, once each and nothing else. */
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import overlay from '../../ui/overlays/overlay.module.css'
import type { Message } from '../state/thread-entries.ts'

export function Announcer({ messages, name }: { messages: readonly Message[]; name: string }) {
  const last = messages.at(-1)
  const seen = useRef(last?.id)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!last || last.id === seen.current) return
    seen.current = last.id
    if (last.senderType !== 'customer') return
    setText(t.messageFrom(name, last.content.type === 'text' ? last.content.text.body : t.file))
  }, [last, name])
  return (
    <p className={overlay.hidden} aria-live="polite">
      {text}
    </p>
  )
}
