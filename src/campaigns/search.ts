import { namedPart } from '../platform/contributions/search.ts'
import { listCampaignNames } from './store/campaigns.ts'

/** Contributes campaigns to the search over all kinds. */
export const campaignSearch = [
  namedPart({
    kind: 'campaign',
    scope: 'campaign:list',
    list: ({ db }, caller) => listCampaignNames(db, caller),
  }),
]
