/** A few emoji to choose from, by pointer or arrow keys; devices have keyboards for the others. */
import { useEffect, useRef } from 'preact/hooks'
import { useChat } from './context.ts'

const emoji = [...'😀😄😂🙂😉😍🥰😘😎🤔😅😢😭😡🙄🥳👍👎👌🙏👏💪👋🤝👀🎉🔥⭐✅❌❓❗💡📦🚚🛒💳🎁🌈☕']
const columns = 8

interface EmojiPickerProps {
  onPick(text: string): void
  onClose(): void
}

export function EmojiPicker({ onPick, onClose }: EmojiPickerProps) {
  const { texts, state } = useChat()
  const grid = useRef<HTMLDivElement>(null)
  useEffect(() => grid.current?.querySelector('button')?.focus(), [])
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
      return
    }
    const forward = state.language.direction === 'rtl' ? -1 : 1
    const steps: Record<string, number> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      ArrowDown: columns,
      ArrowUp: -columns,
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const buttons = [...grid.current!.querySelectorAll('button')]
    buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus()
  }
  return (
    <div class="emoji" role="group" aria-label={texts.emoji} ref={grid} onKeyDown={move}>
      {emoji.map((item, n) => (
        <button type="button" key={item} tabIndex={n === 0 ? 0 : -1} onClick={() => onPick(item)}>
          {item}
        </button>
      ))}
    </div>
  )
}
