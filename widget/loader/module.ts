/** `import { mount } from 'https://HOST/widget.mjs'`: shows the chat of an inbox and returns its controls. */
import { mountChat } from './chats.ts'
import type { Chat, Options } from './mount.ts'

export function mount(options: Options): Chat {
  return mountChat(new URL(import.meta.url).origin, options)
}
