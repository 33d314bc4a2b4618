/** The routes of the console. Filters are search parameters, so that an address restores the whole view. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  useNavigate,
} from '@tanstack/react-router'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { type FilterSearch, validateFilter } from '../inbox/state/filter-search.ts'
import { NotFound, ScreenError } from './fallbacks.tsx'
import { Root } from './root.tsx'

export interface InboxSearch extends FilterSearch {
  /** A built-in view or the id of a saved one. */
  view?: string | undefined
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: ScreenError })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox', replace: true })
  },
})

function validateInbox(search: Record<string, unknown>): InboxSearch {
  const view = typeof search.view === 'string' && search.view !== '' ? search.view : undefined
  return { ...(view ? { view } : {}), ...validateFilter(search) }
}

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: validateInbox,
  component: InboxPage,
})

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$conversationId',
  component: () => null,
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
})

const savedReplies = createRoute({
  getParentRoute: () => root,
  path: '/settings/saved-replies',
  component: lazyRouteComponent(
    () => import('../settings/saved-replies/saved-replies-page.tsx'),
    'SavedRepliesPage',
  ),
})

const kit = createRoute({
  getParentRoute: () => root,
  path: '/console/kit',
  component: lazyRouteComponent(() => import('../kit/kit-page.tsx'), 'KitPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: InvitationRoute,
})
const reset = createRoute({ getParentRoute: () => root, path: '/reset-password', component: InvitationRoute })

/** Signed-in users who open such a link see the form too; see root.tsx. */
function InvitationRoute() {
  const navigate = useNavigate()
  void navigate({ to: '/inbox', replace: true })
  return null
}

const hasKit = document.querySelector('meta[name="parley-kit"]') !== null

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox.addChildren([conversation]),
    settings,
    savedReplies,
    invitation,
    reset,
    ...(hasKit ? [kit] : []),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
