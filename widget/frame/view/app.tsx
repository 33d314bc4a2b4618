/** The whole chat: header, messages and composer, or the form that comes first. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import { canWrite, isBlocked } from '../store.ts'
import { applyTheme } from '../theme.ts'
import { Composer } from './composer.tsx'
import { ChatContext, useChat, useContextValue } from './context.ts'
import { listPreChatFields, PreChat } from './forms/pre-chat.tsx'
import { Header } from './header.tsx'
import { Icon } from './icons.tsx'
import { Log } from './log.tsx'

export function App({ chat }: { chat: Chat }) {
  const context = useContextValue(chat)
  const { language, theme, config } = context.state
  const accent = config?.appearance.accent
  useEffect(() => {
    document.documentElement.lang = language.locale
    document.documentElement.dir = language.direction
  }, [language])
  useEffect(() => applyTheme(theme, accent), [theme, accent])
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && chat.close()
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [chat])
  return (
    <ChatContext.Provider value={context}>
      <Header />
      <Body />
    </ChatContext.Provider>
  )
}

function Body() {
  const { chat, state, texts } = useChat()
  const { phase, isConnected } = state
  if (phase === 'loading')
    return (
      <main class="center" aria-busy="true">
        <span class="spinner" role="img" aria-label={texts.loading} />
      </main>
    )
  if (phase === 'failed')
    return (
      <main class="center">
        <p role="alert">{texts.failed}</p>
        <button type="button" class="primary" onClick={() => chat.load()}>
          {texts.retry}
        </button>
      </main>
    )
  const fields = listPreChatFields(state)
  return (
    <DropArea key={state.person} canDrop={canWrite(state) && fields.length === 0}>
      <p class="offline" role="status" hidden={isConnected}>
        {isConnected ? '' : <Offline />}
      </p>
      <Log />
      {!canWrite(state) ? (
        <p class="notice" role="alert">
          {isBlocked(state) ? texts.blocked : texts.signIn}
        </p>
      ) : fields.length > 0 ? (
        <PreChat key={fields.length} fields={fields} />
      ) : (
        <Composer />
      )}
    </DropArea>
  )
}

function Offline() {
  const { texts } = useChat()
  return (
    <>
      <Icon name="warning" /> {texts.offline}
    </>
  )
}

interface DropAreaProps {
  canDrop: boolean
  children: ComponentChildren
}

/** Files may be dropped anywhere. */
function DropArea({ canDrop, children }: DropAreaProps) {
  const { chat, texts } = useChat()
  const [isOver, setOver] = useState(false)
  const accept = (event: DragEvent) => {
    // A browser would leave the chat to show the file.
    event.preventDefault()
    if (!canDrop) return
    setOver(event.type === 'dragover')
    if (event.type === 'drop') for (const file of event.dataTransfer?.files ?? []) chat.sendFile(file)
  }
  return (
    <main onDragOver={accept} onDragLeave={accept} onDrop={accept}>
      {children}
      {isOver && <p class="drop">{texts.dropHere}</p>}
    </main>
  )
}
