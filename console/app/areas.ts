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
} from '../ui/controls/icons.tsx'

export function listAreas() {
  const areas = [
    { id: 'inbox', to: '/inbox', label: t.inbox, icon: InboxIcon, scope: undefined },
    {
      id: 'contacts',
      to: '/contacts',
      label: t.contacts,
      icon: ContactsIcon,
      scope: 'contact:list',
    },
    {
      id: 'segments',
      to: '/segments',
      label: t.segments,
      icon: SegmentsIcon,
      scope: 'segment:list',
    },
    {
      id: 'campaigns',
      to: '/campaigns',
      label: t.campaigns,
      icon: CampaignIcon,
      scope: 'campaign:list',
    },
    {
      id: 'journeys',
      to: '/journeys',
      label: t.journeys,
      icon: JourneyIcon,
      scope: 'journey:list',
    },
    {
      id: 'chatbots',
      to: '/chatbots',
      label: t.chatbots,
      icon: ChatbotIcon,
      scope: 'journey:list',
    },
    { id: 'reports', to: '/reports', label: t.reports, icon: ReportIcon, scope: 'report:read' },
    { id: 'settings', to: '/settings', label: t.settings, icon: SettingsIcon, scope: undefined },
  ] as const
  return areas.filter(({ scope }) => scope === undefined || hasScope(scope))
}
