/** Resources of the workspace that the palette finds besides actions, and where each of them is shown. */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import {
  BoltIcon,
  BookmarkIcon,
  CampaignIcon,
  ContactsIcon,
  type Icon,
  InboxIcon,
  MessageIcon,
  NoteIcon,
  SegmentsIcon,
  TagIcon,
  TeamIcon,
  UserIcon,
} from '../ui/controls/icons.tsx'
import type { texts } from './texts.ts'

export type Kind = keyof ReturnType<typeof texts>['kinds']

export type Hit = Schemas['SearchHit'] & { kind: Kind }

export const hitIcons: Record<Kind, Icon> = {
  contact: ContactsIcon,
  conversation: InboxIcon,
  message: MessageIcon,
  segment: SegmentsIcon,
  campaign: CampaignIcon,
  journey: BoltIcon,
  chatbot: BoltIcon,
  user: UserIcon,
  team: TeamIcon,
  label: TagIcon,
  view: BookmarkIcon,
  saved_reply: NoteIcon,
}

/** In the order of the list. */
const allKinds = Object.keys(hitIcons) as Kind[]

/** Kinds with a screen of their own, which may not be part of this build. */
const screens: Partial<Record<Kind, string>> = { journey: '/journeys/', chatbot: '/chatbots/' }

/** Returns the kinds that can be opened. */
export function useKinds(): readonly Kind[] {
  const known = Object.keys(useRouter().routesByPath)
  return allKinds.filter(kind => {
    const screen = screens[kind]
    return screen === undefined || known.some(path => path.startsWith(`${screen}$`))
  })
}

/** Users, teams, labels and views show their conversations. */
export function useOpenHit(): (hit: Hit) => void {
  const navigate = useNavigate()
  return ({ kind, id, conversationId }) => {
    switch (kind) {
      case 'contact':
        return void navigate({ to: '/contacts/$contactId', params: { contactId: id } })
      case 'conversation':
        return void navigate({ to: '/inbox/$conversationId', params: { conversationId: id } })
      case 'message':
        return void navigate({
          to: '/inbox/$conversationId',
          params: { conversationId: conversationId! },
          hash: id,
        })
      case 'segment':
        return void navigate({ to: '/segments/$segmentId', params: { segmentId: id } })
      case 'campaign':
        return void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } })
      case 'user':
        return void navigate({ to: '/inbox', search: { owner: id } })
      case 'team':
      case 'label':
        return void navigate({ to: '/inbox', search: { [kind]: id } })
      case 'view':
        return void navigate({ to: '/inbox', search: { view: id } })
      case 'saved_reply':
        return void navigate({ to: '/settings/saved-replies' })
      default:
        return void navigate({ to: `${screens[kind]}${id}` as never })
    }
  }
}

const delayMs = 150

export interface Found {
  hits: readonly Hit[]
  state: 'idle' | 'searching' | 'failed'
}

/** Searches the kinds for a text. Only the response to the current text is shown: those to earlier ones are dropped. */
export function useHits(text: string, kinds: readonly Kind[]): Found {
  const query = `${kinds} ${text}`
  const [found, setFound] = useState<Found & { query: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query has the text and the kinds
  useEffect(() => {
    if (text === '' || kinds.length === 0) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const params = { query: { q: text, kinds: [...kinds] } }
      call(api.GET('/search', { params, signal: controller.signal })).then(
        ({ results }) => {
          const hits = results.flatMap(({ kind, items }) => items.map(item => ({ ...item, kind }) as Hit))
          if (!controller.signal.aborted) setFound({ query, hits, state: 'idle' })
        },
        () => {
          if (!controller.signal.aborted) setFound({ query, hits: [], state: 'failed' })
        },
      )
    }, delayMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [query])
  if (text === '' || kinds.length === 0) return { hits: [], state: 'idle' }
  return found?.query === query ? found : { hits: [], state: 'searching' }
}
