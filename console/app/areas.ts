/** The areas of the console, in the order of the navigation, limited to those that the user may open. */
import { hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import {
  CampaignIcon,
  ChatbotIcon,
  ContactsIcon,
  InboxIcon,
  JourneyIcon,
  ReportIcon,
  SegmentsIcon,
  SettingsIcon,
} from '../ui/icons.tsx'

export function listAreas() {
  const areas = [
    { id: 'inbox', to: '/inbox', label: t.inbox, keys: 'g i', icon: InboxIcon, scope: undefined },
    {
      id: 'contacts',
      to: '/contacts',
      label: t.contacts,
      keys: 'g c',
      icon: ContactsIcon,
      scope: 'contact:list',
    },
    {
      id: 'segments',
      to: '/segments',
      label: t.segments,
      keys: 'g s',
      icon: SegmentsIcon,
      scope: 'segment:list',
    },
    {
      id: 'campaigns',
      to: '/campaigns',
      label: t.campaigns,
      keys: 'g m',
      icon: CampaignIcon,
      scope: 'campaign:list',
    },
    {
      id: 'journeys',
      to: '/journeys',
      label: t.journeys,
      keys: 'g j',
      icon: JourneyIcon,
      scope: 'journey:list',
    },
    {
      id: 'chatbots',
      to: '/chatbots',
      label: t.chatbots,
      keys: 'g b',
      icon: ChatbotIcon,
      scope: 'journey:list',
    },
    { id: 'reports', to: '/reports', label: t.reports, keys: 'g r', icon: ReportIcon, scope: 'report:read' },
    { id: 'settings', to: '/settings', label: t.settings, keys: 'g ,', icon: SettingsIcon, scope: undefined },
  ] as const
  return areas.filter(({ scope }) => scope === undefined || hasScope(scope))
}
