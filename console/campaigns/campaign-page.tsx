/** One campaign: a draft is edited, any other is followed. */
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { api, call } from '../api/client.ts'
import { hasScope } from '../api/session.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { t } from '../i18n/i18n.ts'
import { BackLink } from '../ui/layout/back-link.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import type { Campaign } from './campaign-state.tsx'
import { DraftFacts } from './editor/draft-facts.tsx'
import { Editor } from './editor/editor.tsx'
import { Run } from './run/run.tsx'

/** A response that was read before a change may arrive after it: the version with the highest revision is shown. */
function useNewest(read: Campaign | undefined): Campaign | undefined {
  const newest = useRef<Campaign>(undefined)
  if (read && (read.id !== newest.current?.id || read.revision >= newest.current.revision))
    newest.current = read
  return read && newest.current
}

export function CampaignPage() {
  const { campaignId } = useParams({ from: '/campaigns/$campaignId' })
  const params = { path: { campaignId } }
  const resource = useResource(campaignId, () => call(api.GET('/campaigns/{campaignId}', { params })), {
    isAffected: isChange('campaign', campaignId),
  })
  const { error, reload, set } = resource
  const campaign = useNewest(resource.data)
  if (!campaign)
    return (
      <Page
        title={t.campaign}
        label={t.campaign}
        actions={<BackLink to="/campaigns">{t.campaigns}</BackLink>}
      >
        {error === undefined ? <Loading rows={4} /> : <Failure error={error} onRetry={reload} />}
      </Page>
    )
  const props = { campaign, onChanged: set, onReload: reload }
  if (campaign.status !== 'draft') return <Run key={campaign.id} {...props} />
  return hasScope('campaign:update') ? (
    <Editor key={campaign.id} {...props} />
  ) : (
    <DraftFacts campaign={campaign} />
  )
}
