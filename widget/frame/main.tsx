/** The frame of the widget: `/widget/frame?inboxKey=…&origin=…`, where `origin` is that of the page around it. */
import './main.css'
import { render } from 'preact'
import { Chat } from './chat.ts'
import { App } from './view/app.tsx'

const query = new URLSearchParams(location.search)
const chat = new Chat(query.get('inboxKey') ?? '', query.get('origin') ?? location.origin)
render(<App chat={chat} />, document.getElementById('root')!)
