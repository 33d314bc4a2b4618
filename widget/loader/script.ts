/** `<script async src="https://HOST/widget.js" data-inbox="wcx_…">`: shows the chat of the inbox on the page. */
import type { Theme } from '../protocol.ts'
import { mountChat } from './chats.ts'

const script = document.currentScript as HTMLScriptElement | null
const { inbox, locale, theme } = script?.dataset ?? {}
if (inbox) mountChat(new URL(script!.src).origin, { inboxKey: inbox, locale, theme: theme as Theme })
