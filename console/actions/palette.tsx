/**
 * The command palette: every action that can run now, pages of the settings, and everything that the search of the service
 * finds. A prefix limits it: `>` to actions, `@` to contacts and users, `#` to labels.
 */
import * as Dialog from '@radix-ui/react-dialog'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { hasScope } from '../api/session.ts'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { labels } from '../inbox/state/labels.ts'
import { listPages } from '../settings/pages.ts'
import { type Icon, SearchIcon, SettingsIcon } from '../ui/controls/icons.tsx'
import { useChoiceFocus } from '../ui/focus/use-returned-focus.ts'
import { Keys } from '../ui/hints/keys.tsx'
import styles from '../ui/pickers/picker.module.css'
import { NothingFound } from '../ui/pickers/picker-dialog.tsx'
import { type Hit, hitIcons, type Kind, useHits, useKinds, useOpenHit } from './hits.ts'
import { findByName } from './match.ts'
import { addRecent, listRecent } from './recent.ts'
import { type Action, actions } from './registry.ts'
import { getKeys } from './shortcuts.ts'
import { texts } from './texts.ts'

export interface PaletteProps {
  open: boolean
  onClose: () => void
}

export function Palette({ open, onClose }: PaletteProps) {
  const { close, focus } = useChoiceFocus(onClose)
  return (
    <Dialog.Root open={open} onOpenChange={isOpen => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.backdrop} />
        <Dialog.Content
          className={styles.palette}
          aria-describedby={undefined}
          aria-label={t.palette}
          {...focus}
        >
          <Content choose={close} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The run of an item, after the dialog has returned the focus, so that it may move it. */
type Choose = (run: () => void) => void

const prefixes = { '>': 'actions', '@': 'people', '#': 'labels' } as const
type Prefix = keyof typeof prefixes
type Part = (typeof prefixes)[Prefix] | 'all'

function parse(typed: string): { part: Part; text: string } {
  const part = prefixes[typed.charAt(0) as Prefix]
  return part ? { part, text: typed.slice(1).trim() } : { part: 'all', text: typed.trim() }
}

function Content({ choose }: { choose: Choose }) {
  const [typed, setTyped] = useState('')
  const { part, text } = parse(typed)
  const kinds = useKinds()
  const searched = part === 'all' ? kinds : part === 'people' ? (['contact', 'user'] as const) : []
  const { hits, state } = useHits(text, searched)
  return (
    <Command label={t.palette} shouldFilter={false} loop>
      <Dialog.Title hidden>{t.palette}</Dialog.Title>
      <Command.Input
        className={styles.input}
        placeholder={texts().placeholder}
        value={typed}
        maxLength={200}
        onValueChange={setTyped}
      />
      <Command.List className={styles.list} label={t.palette}>
        <Command.Empty className={styles.empty}>
          <NothingFound text={explainEmpty(part, text, state)} />
        </Command.Empty>
        {part === 'all' && text === '' && <Recent choose={choose} />}
        {(part === 'all' || part === 'actions') && <Actions text={text} choose={choose} />}
        {part === 'labels' && <Labels text={text} choose={choose} />}
        <HitGroups kinds={kinds} hits={hits} choose={choose} />
        {part === 'all' && text !== '' && <Pages text={text} choose={choose} />}
        {/* After the results, which Enter shall choose first. */}
        {part === 'all' && text !== '' && state !== 'searching' && (
          <SearchMessages text={text} choose={choose} />
        )}
      </Command.List>
      <p className={styles.footer} role="status">
        {state === 'failed' ? texts().failed : <Prefixes />}
      </p>
    </Command>
  )
}

function explainEmpty(part: Part, text: string, state: string): string | undefined {
  if (state === 'searching') return texts().searching
  return part === 'people' && text === '' ? texts().typeName : undefined
}

function Prefixes() {
  return Object.entries(prefixes).map(([prefix, part]) => (
    <span key={prefix}>
      <kbd>{prefix}</kbd> {texts().prefixes[part]}
    </span>
  ))
}

interface ItemProps {
  value: string
  icon: Icon | undefined
  label: string
  hint?: ReactNode
  /** The action that the item runs. */
  actionId?: string
  onSelect: () => void
}

function Item({ value, icon: Glyph, label, hint, actionId, onSelect }: ItemProps) {
  return (
    <Command.Item value={value} className={styles.item} data-action={actionId} onSelect={onSelect}>
      {Glyph && <Glyph />}
      <span className={styles.label}>{label}</span>
      {hint}
    </Command.Item>
  )
}

/** Lists the actions of the current screen first: the shell has registered its own before it. */
function listGroups(found: readonly Action[]): string[] {
  const last = [t.navigation, t.general]
  const groups = [...new Set(found.map(({ group }) => group))]
  return groups.sort((a, b) => last.indexOf(a) - last.indexOf(b))
}

function Actions({ text, choose }: { text: string; choose: Choose }) {
  const available = useStore(actions).filter(action => !action.isHidden)
  const found = findByName(available, text, ({ label }) => label)
  return listGroups(found).map(group => (
    <Command.Group key={group} heading={group}>
      {found
        .filter(action => action.group === group)
        .map(action => (
          <Item
            key={action.id}
            value={`action:${action.id}`}
            icon={action.icon}
            label={action.label}
            hint={<KeysOf action={action} />}
            actionId={action.id}
            onSelect={() => choose(action.run)}
          />
        ))}
    </Command.Group>
  ))
}

function KeysOf({ action }: { action: Action }) {
  const keys = getKeys(action)
  return keys ? <Keys keys={keys} /> : null
}

function Pages({ text, choose }: { text: string; choose: Choose }) {
  const navigate = useNavigate()
  const pages = listPages().flatMap(group => group.pages)
  const found = findByName(pages, text, ({ name }) => `${texts().settings}: ${name}`)
  if (found.length === 0) return null
  return (
    <Command.Group heading={texts().settings}>
      {found.map(({ to, name }) => (
        <Item
          key={to}
          value={to}
          icon={SettingsIcon}
          label={name}
          onSelect={() => choose(() => void navigate({ to }))}
        />
      ))}
    </Command.Group>
  )
}

function Labels({ text, choose }: { text: string; choose: Choose }) {
  const found = findByName([...useStore(labels).values()], text, ({ name }) => name)
  const hits = found.map(({ id, name }) => ({ kind: 'label' as const, id, title: name, detail: null }))
  return <HitGroups kinds={['label']} hits={hits} choose={choose} />
}

function HitGroups(props: { kinds: readonly Kind[]; hits: readonly Hit[]; choose: Choose }) {
  const { kinds, hits, choose } = props
  const found = kinds.filter(kind => hits.some(hit => hit.kind === kind))
  return found.map(kind => (
    <Command.Group key={kind} heading={texts().kinds[kind]}>
      {hits
        .filter(hit => hit.kind === kind)
        .map(hit => (
          <HitItem key={hit.id} hit={hit} choose={choose} />
        ))}
    </Command.Group>
  ))
}

function HitItem({ hit, choose }: { hit: Hit; choose: Choose }) {
  const open = useOpenHit()
  const select = () => {
    addRecent(hit)
    choose(() => open(hit))
  }
  const { kind, id, title, detail } = hit
  return (
    <Item
      value={`${kind}:${id}`}
      icon={hitIcons[kind]}
      label={title}
      hint={detail && <span className={styles.detail}>{detail}</span>}
      onSelect={select}
    />
  )
}

function Recent({ choose }: { choose: Choose }) {
  const [hits] = useState(listRecent)
  if (hits.length === 0) return null
  return (
    <Command.Group heading={texts().recent}>
      {hits.map(hit => (
        <HitItem key={`${hit.kind} ${hit.id}`} hit={hit} choose={choose} />
      ))}
    </Command.Group>
  )
}

function SearchMessages({ text, choose }: { text: string; choose: Choose }) {
  const navigate = useNavigate()
  if (!hasScope('conversation:read')) return null
  return (
    <Item
      value="search-messages"
      icon={SearchIcon}
      label={t.searchMessagesFor(text)}
      onSelect={() => choose(() => void navigate({ to: '/search', search: { q: text } }))}
    />
  )
}
