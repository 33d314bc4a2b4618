/** The demo page: opens the chat. */
import './demo.css'
import type {} from '../loader/chats.ts'

document.getElementById('host')!.textContent = location.origin

/** The script of the chat may still be loading. */
function openChat(): void {
  if (window.parley) window.parley.open()
  else document.querySelector('script[data-inbox]')!.addEventListener('load', openChat, { once: true })
}

document.getElementById('open-chat')!.addEventListener('click', openChat)
