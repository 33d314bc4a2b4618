/** Gives components the chat, its state and the texts in the visitor's language. */
import { createContext } from 'preact'
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import type { Texts } from '../i18n/en.ts'
import { createFormats, type Formats } from '../i18n/i18n.ts'
import type { State } from '../store.ts'

interface Context {
  chat: Chat
  state: State
  texts: Texts
  formats: Formats
}

export const ChatContext = createContext<Context>(undefined as never)

export const useChat = () => useContext(ChatContext)

/** Renders again whenever the state changes. */
export function useContextValue(chat: Chat): Context {
  const [state, setState] = useState(chat.store.state)
  // An effect that waits for the next frame would miss changes: hidden frames are drawn late, and a cached answer is not.
  useLayoutEffect(() => {
    const show = () => setState(chat.store.state)
    show()
    return chat.store.subscribe(show)
  }, [chat])
  const { language } = state
  const formats = useMemo(() => createFormats(language), [language])
  return { chat, state, texts: language.texts, formats }
}
