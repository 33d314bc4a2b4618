/** Writes messages. Unsent text survives a reload. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import { useChat } from './context.ts'
import { EmojiPicker } from './emoji.tsx'
import { IconButton } from './icons.tsx'

const maxBytes = 4096
const draftName = 'draft'

function useDraft() {
  const { chat } = useChat()
  const [text, setText] = useState(() => chat.storage.get(draftName) ?? '')
  const change = (value: string) => {
    setText(value)
    chat.storage.set(draftName, value || null)
  }
  return [text, change] as const
}

export function Composer() {
  const { chat, state, texts } = useChat()
  const [text, setText] = useDraft()
  const [isEmojiOpen, setEmojiOpen] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isTooLong = text.length > 1000 && new TextEncoder().encode(text).length > maxBytes
  const canSend = text.trim() !== '' && !isTooLong

  useEffect(() => {
    if (state.isOpen) field.current?.focus()
  }, [state.isOpen])
  useLayoutEffect(() => {
    const { style, scrollHeight } = field.current!
    style.height = 'auto'
    style.height = `${Math.min(field.current!.scrollHeight, 120) || scrollHeight}px`
  }, [text])

  const send = () => {
    if (!canSend) return
    chat.send({ type: 'text', text: { body: text.trim() } })
    setText('')
    field.current?.focus()
  }
  const insert = (emoji: string) => {
    const { selectionStart, selectionEnd } = field.current!
    setText(text.slice(0, selectionStart) + emoji + text.slice(selectionEnd))
    setEmojiOpen(false)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(selectionStart + emoji.length, selectionStart + emoji.length)
    })
  }
  const closeEmoji = () => {
    setEmojiOpen(false)
    field.current?.focus()
  }
  return (
    <div class="composer">
      <Uploads />
      {isEmojiOpen && <EmojiPicker onPick={insert} onClose={closeEmoji} />}
      {isTooLong && (
        <p class="error" role="alert">
          {texts.tooLong}
        </p>
      )}
      <div class="entry">
        <textarea
          ref={field}
          rows={1}
          dir={text ? 'auto' : undefined}
          aria-label={texts.message}
          placeholder={texts.placeholder}
          value={text}
          onInput={event => {
            setText(event.currentTarget.value)
            chat.typing.touch()
          }}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            send()
          }}
          onPaste={event => sendFiles(chat, event.clipboardData?.files) && event.preventDefault()}
        />
        <Tools
          isEmojiOpen={isEmojiOpen}
          toggleEmoji={() => setEmojiOpen(!isEmojiOpen)}
          send={canSend ? send : undefined}
        />
      </div>
    </div>
  )
}

interface ToolsProps {
  isEmojiOpen: boolean
  toggleEmoji(): void
  /** Undefined: there is nothing to send. */
  send: (() => void) | undefined
}

function Tools({ isEmojiOpen, toggleEmoji, send }: ToolsProps) {
  const { chat, texts } = useChat()
  const files = useRef<HTMLInputElement>(null)
  return (
    <div class="tools">
      <input
        ref={files}
        type="file"
        hidden
        multiple
        onChange={event => {
          sendFiles(chat, event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <IconButton icon="attach" label={texts.attach} onClick={() => files.current?.click()} />
      <IconButton icon="emoji" label={texts.emoji} isExpanded={isEmojiOpen} onClick={toggleEmoji} />
      <IconButton icon="send" label={texts.send} class="send" isDisabled={!send} onClick={() => send?.()} />
    </div>
  )
}

function sendFiles(chat: Chat, list: FileList | null | undefined): boolean {
  for (const file of list ?? []) chat.sendFile(file)
  return Boolean(list?.length)
}

function Uploads() {
  const { chat, state, texts, formats } = useChat()
  return (
    <>
      {state.uploads.map(({ id, name, progress, error }) => (
        <div class="upload" key={id}>
          {error ? (
            <p class="error" role="alert">
              {error === 'tooLarge'
                ? texts.tooLarge(formats.size(state.config!.maxUploadBytes))
                : texts[error === 'refused' ? 'uploadRefused' : 'uploadFailed'](name)}
            </p>
          ) : (
            <label>
              {texts.uploading(name)}
              <progress value={progress} />
            </label>
          )}
          <IconButton icon="close" label={texts.cancel} onClick={() => chat.uploads.remove(id)} />
        </div>
      ))}
    </>
  )
}
