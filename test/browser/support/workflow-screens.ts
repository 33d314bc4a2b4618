/** The screens of journeys and chatbots, for the table of all screens in `screens.ts`. */
import type { Screen } from '../every-screen/screens.ts'

export const workflowScreens: readonly Screen[] = [
  {
    route: '/journeys',
    at: '/journeys?status=draft',
    heading: 'Journeys',
    loads: /\/journeys$/,
    empty: 'None matches the search and the status.',
    content: 'First steps',
  },
  {
    route: '/journeys/new',
    at: '/journeys/new?template=vip',
    heading: 'New journey',
    loads: /\/workflow-templates$/,
    content: /You are a VIP now/,
  },
  {
    route: '/journeys/$journeyId',
    at: ({ journeyId }) => `/journeys/${journeyId}?panel=versions`,
    heading: /^(Journeys|First steps)$/,
    loads: /\/journeys\/\w+$/,
    content: 'A contact is created',
  },
  {
    route: '/chatbots',
    at: '/chatbots?q=desk',
    heading: 'Chatbots',
    loads: /\/chatbots$/,
    empty: 'None matches the search and the status.',
    content: 'Front desk',
  },
  {
    route: '/chatbots/new',
    at: '/chatbots/new',
    heading: 'New chatbot',
    loads: /\/workflow-templates$/,
    content: 'Start empty',
  },
  {
    route: '/chatbots/$chatbotId',
    at: ({ chatbotId }) => `/chatbots/${chatbotId}?view=steps`,
    heading: /^(Chatbots|Front desk)$/,
    loads: /\/chatbots\/\w+$/,
    content: 'Offer a menu',
  },
]
