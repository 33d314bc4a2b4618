/** Says with whom the visitor talks and whether they are there. */
import { useChat } from './context.ts'
import { IconButton } from './icons.tsx'

/** Avatars are shown if this service has them: the policy of the frame loads nothing from elsewhere. */
export function Avatar({ name, url }: { name: string; url: string | null }) {
  const address = url ? new URL(url, location.href) : null
  if (address?.origin === location.origin) return <img class="avatar" src={address.href} alt="" />
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => [...word][0] ?? '')
    .join('')
  return (
    <span class="avatar" aria-hidden="true">
      {initials.toUpperCase()}
    </span>
  )
}

function useAvailability(): { isOpen: boolean; text: string } {
  const { state, texts, formats } = useChat()
  const { isOpen = true, opensAt = null } = state.config?.availability ?? {}
  if (isOpen) return { isOpen, text: state.config?.appearance.subtitle ?? texts.open }
  return { isOpen, text: opensAt ? texts.opensAt(formats.moment(opensAt)) : texts.closed }
}

async function download(load: () => Promise<Blob>): Promise<void> {
  const url = URL.createObjectURL(await load())
  const link = document.createElement('a')
  link.href = url
  link.download = 'chat.txt'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export function Header() {
  const { chat, state, texts } = useChat()
  const { config, conversation, messages } = state
  const availability = useAvailability()
  const title = config?.appearance.title || config?.workspaceName || ''
  const agent = conversation?.agent
  return (
    <header>
      <Avatar name={agent?.name ?? title} url={agent?.avatarUrl ?? null} />
      <div class="titles">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class={availability.isOpen ? 'is-open' : ''}>
          <span class="dot" aria-hidden="true" />
          <bdi>{agent && availability.isOpen ? agent.name : availability.text}</bdi>
        </p>
      </div>
      {messages.length > 0 && (
        <IconButton
          icon="download"
          label={texts.transcript}
          onClick={() => download(() => chat.loadTranscript()).catch(() => {})}
        />
      )}
      <IconButton icon="close" label={texts.close} onClick={() => chat.close()} />
    </header>
  )
}
