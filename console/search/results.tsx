/** The results of the search, newest first. A result opens the conversation at that message. */
import { Link } from '@tanstack/react-router'
import { useActions } from '../actions/registry.ts'
import { api, call, type Schemas } from '../api/client.ts'
import { getSignedIn } from '../api/session.ts'
import { usePaged } from '../contacts/page/use-paged.ts'
import { formatFull, formatWhen } from '../i18n/format.ts'
import { t } from '../i18n/i18n.ts'
import { getSenderName } from '../inbox/thread/sender.ts'
import { Button } from '../ui/controls/button.tsx'
import { MessageIcon, NoteIcon } from '../ui/controls/icons.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import type { toQuery } from './address.ts'
import styles from './search.module.css'
import { texts } from './texts.ts'

type Result = Schemas['MessageSearchResult']

const limit = 30

interface ResultsProps {
  query: ReturnType<typeof toQuery>
  isFiltered: boolean
}

export function Results({ query, isFiltered }: ResultsProps) {
  const { items, error, reload, more } = usePaged(
    JSON.stringify(query),
    async cursor => {
      const params = { query: { ...query, limit, ...(cursor ? { cursor } : {}) } }
      const page = await call(api.GET('/messages/search', { params }))
      return { items: page.items, next: page.nextCursor }
    },
    () => false,
  )
  useResultActions()
  if (error !== undefined && !items) return <Failure error={error} onRetry={reload} />
  if (!items) return <Loading rows={5} />
  if (items.length === 0) return <Empty title={isFiltered ? texts().nothing : texts().nothingAtAll} />
  return (
    <>
      <p className={styles.muted} role="status">
        {texts().found(items.length, more !== undefined)}
      </p>
      <ul aria-label={texts().results} className={styles.results}>
        {items.map(result => (
          <ResultRow key={result.id} result={result} />
        ))}
      </ul>
      {error !== undefined && <Failure error={error} />}
      {more && (
        <div>
          <Button onClick={more}>{texts().more}</Button>
        </div>
      )}
    </>
  )
}

function ResultRow({ result }: { result: Result }) {
  const { type, id, conversationId, conversationName, inboxId, createdAt } = result
  const Glyph = type === 'note' ? NoteIcon : MessageIcon
  const sender = getSenderName(result) || texts().senders.customer
  const inbox = getSignedIn().inboxes.get(inboxId)?.name
  return (
    <li>
      <Link
        to="/inbox/$conversationId"
        params={{ conversationId }}
        hash={id}
        className={styles.result}
        data-result={id}
      >
        <Glyph />
        <span className={styles.name}>{conversationName}</span>
        <time className={styles.muted} dateTime={createdAt} title={formatFull(createdAt)}>
          {formatWhen(createdAt)}
        </time>
        <span className={styles.text}>
          <Marked {...result} />
        </span>
        <span className={styles.about}>{[sender, inbox].filter(Boolean).join(' · ')}</span>
      </Link>
    </li>
  )
}

/** The ranges are in order and do not overlap. */
function Marked({ text, highlights }: Pick<Result, 'text' | 'highlights'>) {
  return (
    <>
      {highlights.map(({ start, end }, position) => (
        <span key={start}>
          {text.slice(highlights[position - 1]?.end ?? 0, start)}
          <mark className={styles.mark}>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(highlights.at(-1)?.end ?? 0)}
    </>
  )
}

/** Moves the focus from one result to another. */
function useResultActions(): void {
  const move = (step: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('[data-result]')]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
  }
  const group = t.searchMessages
  const arrow = (id: string, label: string, step: number) => ({
    id,
    label,
    group,
    isHidden: true,
    run: () => move(step),
  })
  useActions([
    { id: 'next', label: texts().next, group, run: () => move(1) },
    { id: 'previous', label: texts().previous, group, run: () => move(-1) },
    arrow('next-arrow', texts().next, 1),
    arrow('previous-arrow', texts().previous, -1),
  ])
}
