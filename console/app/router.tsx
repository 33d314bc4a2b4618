/** The routes of the console. Filters are search parameters, so that an address restores the whole view. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  useNavigate,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { isOutdated } from '../api/client.ts'
import type { ContactsSearch } from '../contacts/address.ts'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { type FilterSearch, validateFilter } from '../inbox/state/lists/filter-search.ts'
import { toasts } from '../ui/overlays/toasts.ts'
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

/** Keeps the named search parameters that are texts; screens check their values. */
function pickTexts<K extends string>(...names: K[]) {
  return (search: Record<string, unknown>) =>
    Object.fromEntries(
      // The router reads digits as a number.
      names.flatMap(name =>
        ['string', 'number'].includes(typeof search[name]) ? [[name, String(search[name])]] : [],
      ),
    ) as Partial<Record<K, string>>
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

const loadContactScreens = () => import('../contacts/screens.ts')
const loadImportScreens = () => import('../contacts/import/screens.ts')

const contacts = createRoute({
  getParentRoute: () => root,
  path: '/contacts',
  // Validated by the screen, which loads later.
  validateSearch: (search): ContactsSearch => search,
  component: lazyRouteComponent(loadContactScreens, 'ContactsPage'),
})
const contactImports = createRoute({
  getParentRoute: () => root,
  path: '/contacts/import',
  component: lazyRouteComponent(loadImportScreens, 'ImportsPage'),
})
const contactImport = createRoute({
  getParentRoute: () => root,
  path: '/contacts/import/$importId',
  component: lazyRouteComponent(loadImportScreens, 'ImportPage'),
})
const contact = createRoute({
  getParentRoute: () => root,
  path: '/contacts/$contactId',
  validateSearch: (search): { tab?: string } => search,
  component: lazyRouteComponent(() => import('../contacts/page/contact-page.tsx'), 'ContactPage'),
})
const segments = createRoute({
  getParentRoute: () => root,
  path: '/segments',
  component: lazyRouteComponent(loadContactScreens, 'SegmentsPage'),
})
const segment = createRoute({
  getParentRoute: () => root,
  path: '/segments/$segmentId',
  component: lazyRouteComponent(loadContactScreens, 'SegmentPage'),
})

type Loader = () => Promise<{ Page: ComponentType }>

/** A screen that is loaded when it is opened. */
function lazyPage<const P extends string>(path: P, load: Loader) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Page') })
}

const settings = [
  lazyPage('/settings', () => import('../settings/settings-page.tsx')),
  lazyPage('/settings/saved-replies', () => import('../settings/saved-replies/saved-replies-page.tsx')),
  lazyPage('/settings/inboxes', () => import('../settings/inboxes/inboxes-page.tsx')),
  lazyPage('/settings/inboxes/$inboxId', () => import('../settings/inboxes/inbox-page.tsx')),
  lazyPage(
    '/settings/service-accounts',
    () => import('../settings/service-accounts/service-accounts-page.tsx'),
  ),
  lazyPage('/settings/webhooks', () => import('../settings/webhooks/webhooks-page.tsx')),
  lazyPage('/settings/profile', () => import('../settings/profile/profile-page.tsx')),
  lazyPage('/settings/workspace', () => import('../settings/workspace/workspace-page.tsx')),
  lazyPage('/settings/labels', () => import('../settings/content/labels-page.tsx')),
  lazyPage('/settings/tags', () => import('../settings/content/tags-page.tsx')),
  lazyPage('/settings/fields', () => import('../settings/content/fields-page.tsx')),
  lazyPage('/settings/audit', () => import('../settings/audit/audit-page.tsx')),
  lazyPage('/settings/people', () => import('../settings/people/people-page.tsx')),
] as const

const campaigns = createRoute({
  getParentRoute: () => root,
  path: '/campaigns',
  validateSearch: pickTexts('status'),
  component: lazyRouteComponent(() => import('../campaigns/campaign-list-page.tsx'), 'CampaignListPage'),
})

const campaign = createRoute({
  getParentRoute: () => root,
  path: '/campaigns/$campaignId',
  // The time to send a draft; status and reason of the listed recipients; how the plot shows the timeline.
  validateSearch: pickTexts('at', 'status', 'reason', 'plot'),
  component: lazyRouteComponent(() => import('../campaigns/campaign-page.tsx'), 'CampaignPage'),
})

const loadWorkflowLists = () => import('../workflows/workflow-list-page.tsx')
const loadNewWorkflow = () => import('../workflows/new-workflow-page.tsx')

const journeys = createRoute({
  getParentRoute: () => root,
  path: '/journeys',
  validateSearch: pickTexts('q', 'status'),
  component: lazyRouteComponent(loadWorkflowLists, 'JourneyListPage'),
})
const newJourney = createRoute({
  getParentRoute: () => root,
  path: '/journeys/new',
  validateSearch: pickTexts('template'),
  component: lazyRouteComponent(loadNewWorkflow, 'NewJourneyPage'),
})
const chatbots = createRoute({
  getParentRoute: () => root,
  path: '/chatbots',
  validateSearch: pickTexts('q', 'status'),
  component: lazyRouteComponent(loadWorkflowLists, 'ChatbotListPage'),
})
const newChatbot = createRoute({
  getParentRoute: () => root,
  path: '/chatbots/new',
  validateSearch: pickTexts('template'),
  component: lazyRouteComponent(loadNewWorkflow, 'NewChatbotPage'),
})
const loadBuilder = () => import('../builder/builder-page.tsx')
/** The view, the panel at the right, and whether the numbers of runs are shown. */
const validateBuilder = pickTexts('view', 'panel', 'numbers')

const journey = createRoute({
  getParentRoute: () => root,
  path: '/journeys/$journeyId',
  validateSearch: validateBuilder,
  component: lazyRouteComponent(loadBuilder, 'JourneyPage'),
})

const chatbot = createRoute({
  getParentRoute: () => root,
  path: '/chatbots/$chatbotId',
  validateSearch: validateBuilder,
  component: lazyRouteComponent(loadBuilder, 'ChatbotPage'),
})

const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  validateSearch: pickTexts('from', 'to', 'groupBy'),
  component: lazyRouteComponent(() => import('../reports/reports-page.tsx'), 'ReportsPage'),
})

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: pickTexts('q', 'type', 'inbox', 'sender', 'from', 'to'),
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
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
/** The root shows the forms. */
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in' })

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
    contacts,
    contactImports,
    contactImport,
    contact,
    segments,
    segment,
    campaigns,
    campaign,
    journeys,
    newJourney,
    chatbots,
    newChatbot,
    journey,
    chatbot,
    reports,
    search,
    ...settings,
    invitation,
    reset,
    signIn,
    ...(hasKit ? [kit] : []),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: false,
})

const toArea = ({ pathname }: { pathname: string }) => pathname.split('/')[1]

/** A user who goes to another area loses nothing by a reload, unless a message still offers to undo something. */
router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
  const isLeaving = fromLocation !== undefined && toArea(fromLocation) !== toArea(toLocation)
  if (!isLeaving || !isOutdated.get() || toasts.get().some(({ action }) => action)) return
  // The router changes the address after this event.
  setTimeout(() => location.reload())
})

/** The focus of a screen that was left goes to the next one, unless that one sets it itself. */
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (!fromLocation || !pathChanged) return
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
