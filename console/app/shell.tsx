/** The frame of all screens: navigation, connection state, palette, list of keys and messages. */
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { PaletteProps } from '../actions/palette.tsx'
import { type Action, useActions } from '../actions/registry.ts'
import { keysOf, startShortcuts } from '../actions/shortcuts.ts'
import { isOutdated } from '../api/client.ts'
import { connection } from '../api/realtime.ts'
import { hasScope, type SignedIn, signOut } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { PlayAction } from '../inbox/sandbox/play-action.tsx'
import { Bell } from '../notifications/bell.tsx'
import { Logo } from '../sign-in/card.tsx'
import { Count } from '../ui/controls/badge.tsx'
import { SearchIcon, SettingsIcon, SignOutIcon, SwitchIcon } from '../ui/controls/icons.tsx'
import { Tooltip } from '../ui/hints/tooltip.tsx'
import { lazyPart, preloadParts } from '../ui/layout/lazy-part.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { showToast, undoLatest } from '../ui/overlays/toasts.ts'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { listAreas } from './areas.ts'
import styles from './shell.module.css'
import { useStore } from './store.ts'
import { unread } from './unread.ts'

const Palette = lazyPart<PaletteProps>(() => import('../actions/later.ts').then(module => module.Palette))
const ShortcutList = lazyPart<{ open: boolean; onClose: () => void }>(() =>
  import('../actions/later.ts').then(module => module.ShortcutList),
)

export function Shell({ session }: { session: SignedIn }) {
  const [overlay, setOverlay] = useState<'palette' | 'keys'>()
  const { conversationId } = useParams({ strict: false })
  useEffect(startShortcuts, [])
  useEffect(preloadParts, [])
  useActions(useShellActions(setOverlay))
  const close = () => setOverlay(undefined)
  return (
    <div className={styles.shell} data-pane={conversationId ? 'detail' : 'list'}>
      <a className={styles.skip} href="#main">
        {t.skipToContent}
      </a>
      <Rail session={session} onSearch={() => setOverlay('palette')} />
      <main id="main" className={styles.main} tabIndex={-1} data-focus="container">
        <Banners />
        <div className={styles.content}>
          <Outlet />
        </div>
      </main>
      {overlay === 'palette' && <Palette open onClose={close} />}
      {overlay === 'keys' && <ShortcutList open onClose={close} />}
      <PlayAction />
    </div>
  )
}

function useShellActions(open: (overlay: 'palette' | 'keys') => void): Action[] {
  const navigate = useNavigate()
  return [
    {
      id: 'palette',
      label: t.palette,
      group: t.general,
      isHidden: true,
      run: () => open('palette'),
    },
    { id: 'keys', label: t.shortcuts, group: t.general, run: () => open('keys') },
    { id: 'undo', label: t.undo, group: t.general, run: undoLatest },
    ...listAreas().map(({ id, label, icon, to }) => ({
      id: `go-${id}`,
      label: t.goTo(label),
      group: t.navigation,
      icon,
      run: () => void navigate({ to }),
    })),
    ...(hasScope('conversation:read') ? [searchAction(() => void navigate({ to: '/search' }))] : []),
    {
      id: 'other-workspace',
      label: t.otherWorkspace,
      group: t.general,
      icon: SwitchIcon,
      run: () => void navigate({ to: '/sign-in' }),
    },
    { id: 'sign-out', label: t.signOut, group: t.general, icon: SignOutIcon, run: () => void tryToSignOut() },
  ]
}

const searchAction = (run: () => void): Action => ({
  id: 'go-search',
  label: t.searchMessages,
  group: t.navigation,
  icon: SearchIcon,
  run,
})

async function tryToSignOut(): Promise<void> {
  await signOut().catch(() => showToast({ text: t.signOutFailed, tone: 'danger' }))
}

function Rail({ session, onSearch }: { session: SignedIn; onSearch: () => void }) {
  const { count } = useStore(unread)
  return (
    <nav className={styles.rail} aria-label={t.navigation}>
      <span className={styles.brand}>
        {session.workspace.logoUrl ? (
          <Avatar name={session.workspace.name} url={session.workspace.logoUrl} />
        ) : (
          <Logo />
        )}
      </span>
      <ul>
        {listAreas().map(area => (
          <li key={area.id}>
            <Tooltip label={area.label} keys={keysOf(`go-${area.id}`)}>
              <Link
                to={area.to}
                className={styles.link}
                aria-label={area.id === 'inbox' && count > 0 ? t.inboxUnread(count) : area.label}
              >
                <area.icon />
                {area.id === 'inbox' && count > 0 && (
                  <span className={styles.badge}>
                    <Count value={count} label={t.unreadMessages(count)} strong max={99} />
                  </span>
                )}
              </Link>
            </Tooltip>
          </li>
        ))}
        <li>
          <Bell className={styles.link} badge={styles.badge} />
        </li>
        <li>
          <Tooltip label={t.search} keys={keysOf('palette')}>
            <button type="button" className={styles.link} aria-label={t.search} onClick={onSearch}>
              <SearchIcon />
            </button>
          </Tooltip>
        </li>
      </ul>
      <span className={styles.spacer} />
      <UserMenu session={session} />
    </nav>
  )
}

function UserMenu({ session: { me, workspace } }: { session: SignedIn }) {
  const navigate = useNavigate()
  const items = [
    {
      id: 'settings',
      label: t.settings,
      icon: SettingsIcon,
      onSelect: () => void navigate({ to: '/settings' }),
    },
    {
      id: 'other-workspace',
      label: t.otherWorkspace,
      icon: SwitchIcon,
      onSelect: () => void navigate({ to: '/sign-in' }),
    },
    { id: 'sign-out', label: t.signOut, icon: SignOutIcon, onSelect: () => void tryToSignOut() },
  ]
  return (
    <Menu items={items} side="right" align="end" label={`${me.name} · ${workspace.name}`}>
      <button type="button" className={styles.user} aria-label={t.accountOf(me.name, workspace.name)}>
        <Avatar name={me.name} url={me.avatarUrl} />
      </button>
    </Menu>
  )
}

function Banners() {
  const state = useStore(connection)
  const outdated = useStore(isOutdated)
  return (
    <>
      <div role="status">{state === 'lost' && <p className={styles.banner}>{t.reconnecting}</p>}</div>
      {outdated && (
        <div className={styles.banner} role="status">
          {t.updated}
          <button type="button" onClick={() => location.reload()}>
            {t.reload}
          </button>
        </div>
      )}
    </>
  )
}
