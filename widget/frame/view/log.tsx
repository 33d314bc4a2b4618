/** The messages, oldest first. The view stays at the end unless the visitor reads further up. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { canWrite, isBlocked } from '../store.ts'
import type { Message } from '../types.ts'
import { MessageContent, toText } from './content.tsx'
import { useChat } from './context.ts'
import { Avatar } from './header.tsx'
import { Icon } from './icons.tsx'
import { Rating } from './rating.tsx'
import { arrange, findSeen, type Group, greetingKey, type Item } from './timeline.ts'

/** Pixels from the end within which the view follows new messages. */
const nearEnd = 80

export function Log() {
  const { state, texts, formats } = useChat()
  const groups = arrange(state, formats.day)
  const lastOwn = groups.findLast(({ author }) => author.kind === 'visitor')?.items.at(-1)
  const seen = findSeen(groups, state.conversation?.seenUpTo ?? undefined)
  const { scroller, content, hasNews, follow, showEnd } = useScroll(groups)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the area scrolls, also by keyboard */}
      <div class="log" role="log" aria-label={texts.messages} tabIndex={0} ref={scroller} onScroll={follow}>
        <div ref={content}>
          {state.hasMore && <EarlierButton />}
          {groups.length === 0 && <p class="welcome">{texts.welcome}</p>}
          {groups.map(group => (
            <GroupView key={group.key} group={group} lastOwn={lastOwn} seen={seen} />
          ))}
          {state.typing && <Typing name={state.typing.name} />}
          {!isBlocked(state) && <Rating />}
        </div>
      </div>
      {hasNews && (
        <button type="button" class="news" onClick={showEnd}>
          <Icon name="down" /> {texts.newMessages}
        </button>
      )}
    </>
  )
}

function useScroll(groups: Group[]) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const lastTop = useRef(0)
  const [seenKey, setSeenKey] = useState('')
  const lastKey = groups.at(-1)?.items.at(-1)?.key ?? ''
  const isOwn = groups.at(-1)?.author.kind === 'visitor'
  const showEnd = () => {
    isAtEnd.current = true
    scroller.current!.scrollTop = scroller.current!.scrollHeight
    setSeenKey(lastKey)
  }
  useLayoutEffect(() => {
    if (isAtEnd.current || isOwn) showEnd()
  }, [lastKey])
  // Images, forms and the window change the height, too.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      // An element that is removed changes its size, too.
      if (isAtEnd.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
    })
    for (const element of [scroller, content]) observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  const follow = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!
    // Entries added after a move to the end also change the position: the visitor did not scroll up.
    const isStill = isAtEnd.current && scrollTop >= lastTop.current
    lastTop.current = scrollTop
    isAtEnd.current = isStill || scrollHeight - scrollTop - clientHeight < nearEnd
    if (isAtEnd.current) setSeenKey(lastKey)
  }
  return { scroller, content, hasNews: lastKey !== seenKey && !isAtEnd.current, follow, showEnd }
}

function EarlierButton() {
  const { chat, texts } = useChat()
  return (
    <button type="button" class="earlier" onClick={() => chat.loadEarlier().catch(() => {})}>
      {texts.earlier}
    </button>
  )
}

interface GroupViewProps {
  group: Group
  lastOwn: Item | undefined
  seen: Item | undefined
}

function GroupView({ group, lastOwn, seen }: GroupViewProps) {
  const { state, texts, formats } = useChat()
  const { author, day, items } = group
  const isOwn = author.kind === 'visitor'
  const name = isOwn ? texts.you : author.name || state.config?.appearance.title || ''
  const last = items.at(-1)!
  return (
    <>
      {day && <p class="day">{day}</p>}
      <div class={isOwn ? 'group own' : 'group'} aria-live={isOwn ? 'off' : undefined}>
        {!isOwn && <Avatar name={name} url={author.avatarUrl} />}
        <div class="items">
          <p class={isOwn ? 'hidden' : 'author'}>
            <bdi>{name}</bdi>
          </p>
          {items.map(item => (
            <div key={item.key} class="item">
              <Quote replyTo={item.content.type === 'text' ? item.replyTo : null} />
              <MessageContent id={item.id} content={item.content} />
              {item.pending?.state === 'failed' && <Failure id={item.key} />}
              {item === seen && item !== last && <p class="meta">{texts.seen}</p>}
            </div>
          ))}
          <p class="meta">
            {last.key !== greetingKey && (
              <time dateTime={last.createdAt}>{formats.time(last.createdAt)}</time>
            )}
            {last === seen ? (
              <span> · {texts.seen}</span>
            ) : (
              isOwn && last === lastOwn && <Status item={last} />
            )}
          </p>
        </div>
      </div>
    </>
  )
}

function Quote({ replyTo }: { replyTo: string | null }) {
  const { state } = useChat()
  const quoted = replyTo && state.messages.find(({ id }: Message) => id === replyTo)
  const text = quoted && toText(quoted.content)
  return text ? (
    <blockquote class="quote" dir="auto">
      {text}
    </blockquote>
  ) : null
}

function Status({ item: { pending, status } }: { item: Item }) {
  const { state, texts } = useChat()
  if (pending?.state === 'failed') return null
  if (pending?.state === 'waiting') return <span> · {state.isConnected ? texts.sending : texts.waiting}</span>
  return <span> · {texts[status ?? 'sent']}</span>
}

function Failure({ id }: { id: string }) {
  const { chat, state, texts } = useChat()
  return (
    <p class="failure" role="alert">
      <Icon name="warning" /> {texts.notSent}
      {canWrite(state) && (
        <button type="button" onClick={() => chat.retry(id)}>
          {texts.retry}
        </button>
      )}
      <button type="button" onClick={() => chat.discard(id)}>
        {texts.discard}
      </button>
    </p>
  )
}

function Typing({ name }: { name: string | null }) {
  const { state, texts } = useChat()
  return (
    <div class="group" aria-live="off">
      <Avatar name={name ?? state.config?.appearance.title ?? ''} url={null} />
      <p class="bubble typing" role="img" aria-label={texts.typing(name)}>
        <i />
        <i />
        <i />
      </p>
    </div>
  )
}
