/** Lists journeys or chatbots with their status and numbers, and creates, activates, pauses and deletes them. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { t } from '../i18n/i18n.ts'
import { useScopes } from '../settings/common/tasks.ts'
import buttons from '../ui/controls/button.module.css'
import { Button } from '../ui/controls/button.tsx'
import { Select, TextField } from '../ui/controls/field.tsx'
import { ArrowUpIcon, PlusIcon } from '../ui/controls/icons.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { classNames } from '../ui/styles/class-names.ts'
import { BotOrder } from './bot-order.tsx'
import { texts } from './texts.ts'
import { fetchWorkflows, type Kind, type Status, statuses, type Workflow } from './workflow-api.ts'
import { WorkflowTable } from './workflow-table.tsx'
import styles from './workflows.module.css'

/** Runs that enter and leave do not cause frames. */
const refreshMs = 15_000
const typingMs = 250

interface List {
  items: Workflow[]
  hasMore: boolean
}

function WorkflowListPage({ kind }: { kind: Kind }) {
  const can = useScopes()
  const navigate = useNavigate()
  const { q, status } = useFilter()
  const [pages, setPages] = useState(1)
  const [isOrdering, setOrdering] = useState(false)
  const filter = { ...(q ? { search: q } : {}), ...(status ? { status } : {}) }
  const { data, error, reload, set } = useResource(
    `${kind} ${q} ${status}`,
    () => fetchWorkflows(kind, filter, pages),
    { isAffected: isChange(kind), minGapMs: 500 },
  )
  const list = useKept(data, error)
  useInterval(reload, list !== undefined)
  const title = kind === 'journey' ? t.journeys : t.chatbots
  const to = kind === 'journey' ? '/journeys/new' : '/chatbots/new'
  const words = texts().kinds[kind]
  const canCreate = can('journey:create')
  useActions(
    canCreate ? [{ id: 'new', label: words.new, group: title, run: () => void navigate({ to }) }] : [],
  )
  const link = canCreate && (
    <Link to={to} className={classNames(buttons.button, buttons.primary)}>
      <PlusIcon />
      {words.new}
    </Link>
  )
  const order = kind === 'chatbot' && can('journey:activate') && (
    <Button icon={ArrowUpIcon} onClick={() => setOrdering(true)}>
      {texts().order}
    </Button>
  )
  const isFiltered = q !== '' || status !== undefined
  return (
    <Page
      title={title}
      label={title}
      actions={
        <>
          {order}
          {link}
        </>
      }
    >
      <Filter kind={kind} q={q} status={status} onChange={() => setPages(1)} />
      {!list && (error === undefined ? <Loading rows={4} /> : <Failure error={error} onRetry={reload} />)}
      {list?.items.length === 0 && (
        <None kind={kind} isFiltered={isFiltered}>
          {link}
        </None>
      )}
      {list && list.items.length > 0 && (
        <Shown
          list={list}
          onMore={() => {
            setPages(pages + 1)
            setTimeout(reload)
          }}
        >
          <WorkflowTable kind={kind} label={title} items={list.items} onReload={reload} onChange={patch} />
        </Shown>
      )}
      {isOrdering && <BotOrder onClose={() => setOrdering(false)} />}
    </Page>
  )

  /** Shows a change before the service has made it. */
  function patch(id: string, change: Partial<Workflow>): void {
    if (list)
      set({
        ...list,
        items: list.items.map(item => (item.id === id ? { ...item, ...change } : item)) as Workflow[],
      })
  }
}

interface NoneProps {
  kind: Kind
  isFiltered: boolean
  children: ReactNode
}

function None({ kind, isFiltered, children }: NoneProps) {
  if (!isFiltered) return <Empty title={texts().kinds[kind].none}>{children}</Empty>
  return (
    <Empty title={texts().noneFound}>
      <Link to={kind === 'journey' ? '/journeys' : '/chatbots'} className={buttons.button}>
        {texts().clear}
      </Link>
    </Empty>
  )
}

function Shown({ list, onMore, children }: { list: List; onMore: () => void; children: ReactNode }) {
  return (
    <>
      {children}
      {list.hasMore && (
        <div>
          <Button onClick={onMore}>{texts().showMore}</Button>
        </div>
      )}
    </>
  )
}

function useFilter(): { q: string; status: Status | undefined } {
  const search: { q?: string; status?: string } = useSearch({ strict: false })
  return { q: search.q ?? '', status: statuses.find(item => item === search.status) }
}

interface FilterProps {
  kind: Kind
  q: string
  status: Status | undefined
  onChange: () => void
}

/** The address follows the text when the user stops typing, and the text follows the address. */
function Filter({ kind, q, status, onChange }: FilterProps) {
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const sent = useRef(q)
  const to = kind === 'journey' ? '/journeys' : '/chatbots'
  const go = (search: { q: string; status?: string }, replace: boolean) => {
    onChange()
    sent.current = search.q
    const kept = Object.entries(search).filter(([, value]) => value)
    void navigate({ to, search: Object.fromEntries(kept), replace })
  }
  // The address of a text that was typed meanwhile must not replace the newer text.
  useEffect(() => {
    if (q !== sent.current) setText(q)
    sent.current = q
  }, [q])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the text is awaited
  useEffect(() => {
    if (text.trim() === q) return
    const timer = setTimeout(() => go({ q: text.trim(), ...(status ? { status } : {}) }, true), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={styles.filter}>
      <TextField
        label={texts().search}
        type="search"
        value={text}
        maxLength={200}
        onChange={event => setText(event.target.value)}
      />
      <Select
        label={t.status}
        value={status ?? ''}
        onChange={event => go({ q: text.trim(), status: event.target.value }, false)}
      >
        <option value="">{texts().allStatuses}</option>
        {statuses.map(item => (
          <option key={item} value={item}>
            {texts().statuses[item]}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** Returns the latest list, so that typing does not replace it with a skeleton. If a filter fails, rows of another one would be wrong. */
function useKept(data: List | undefined, error: unknown): List | undefined {
  const latest = useRef(data)
  if (data || error !== undefined) latest.current = data
  return latest.current
}

function useInterval(run: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => document.visibilityState === 'visible' && run(), refreshMs)
    return () => clearInterval(timer)
  }, [run, isOn])
}

export const JourneyListPage = () => <WorkflowListPage key="journey" kind="journey" />
export const ChatbotListPage = () => <WorkflowListPage key="chatbot" kind="chatbot" />
