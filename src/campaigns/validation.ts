/** Validates that a campaign can be sent: one violation for each missing or unsupported part. */
import { getSendableMedia, loadAttachment } from '../conversations/media/attachments.ts'
import { findContentViolation } from '../inboxes/capabilities/content.ts'
import { findCatalogueViolations } from '../inboxes/catalogue/violations.ts'
import { listMediaReferences, type SendableContent } from '../inboxes/content.ts'
import { findInbox, type InboxRow } from '../inboxes/inboxes.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, Problem, type Violation, violation } from '../platform/errors.ts'
import type { Segment } from '../segments/schemas.ts'
import { findSegment } from '../segments/segments.ts'
import { findPersonalisationViolations } from './personalisation.ts'
import type { CampaignRow } from './store/campaigns.ts'

export interface SendableCampaign {
  segment: Segment
  inbox: InboxRow
  content: SendableContent
}

const required = (field: string): Violation => violation(field, 'required', 'is required before sending')

/** Throws 400 with all violations. Queries the provider for the template, so call it outside of transactions. */
export async function assertReady(
  deps: Deps,
  campaign: CampaignRow,
  viewer?: MediaViewer,
): Promise<SendableCampaign> {
  const { tenantId, segmentId } = campaign
  const segment = segmentId === null ? undefined : await findSegment(deps.db, tenantId, segmentId)
  const violations = segment
    ? []
    : [segmentId === null ? required('segmentId') : violation('segmentId', 'segment_deleted', 'was deleted')]
  const { inbox, content, violations: others } = await checkParts(deps, campaign, viewer)
  if (!segment || !inbox || !content || others.length > 0) return invalid(...violations, ...others)
  return { segment, inbox, content }
}

/** Like assertReady, without the segment: for test sends. */
export async function assertSendable(
  deps: Deps,
  campaign: CampaignRow,
  viewer: MediaViewer,
): Promise<Omit<SendableCampaign, 'segment'>> {
  const { inbox, content, violations } = await checkParts(deps, campaign, viewer)
  if (!inbox || !content || violations.length > 0) return invalid(...violations)
  return { inbox, content }
}

async function checkParts(
  deps: Deps,
  { tenantId, inboxId, content }: CampaignRow,
  viewer: MediaViewer | undefined,
) {
  const inbox = inboxId === null ? undefined : await findInbox(deps.db, tenantId, inboxId)
  const violations: Violation[] = []
  if (inboxId === null) violations.push(required('inboxId'))
  else if (!inbox) violations.push(violation('inboxId', 'inbox_deleted', 'was deleted'))
  if (content === null) violations.push(required('content'))
  else violations.push(...(await findPersonalisationViolations(deps.db, tenantId, content)))
  if (inbox && content) violations.push(...(await findContentViolations(deps, inbox, content, viewer)))
  return { inbox, content, violations }
}

export async function findContentViolations(
  deps: Deps,
  inbox: InboxRow,
  content: SendableContent,
  viewer?: MediaViewer,
): Promise<Violation[]> {
  const unsupported = findContentViolation(inbox.channel, content)
  if (unsupported) return [unsupported]
  const media = await checkMedia(deps, inbox, content, viewer)
  if ('violations' in media) return media.violations
  return findCatalogueViolations(deps, inbox, content, media.mediaType)
}

type MediaViewer = Parameters<typeof getSendableMedia>[1]
type MediaCheck = { mediaType?: Parameters<typeof findCatalogueViolations>[3] } | { violations: Violation[] }

/** With a viewer (when scheduling) the file must be visible to them; without one it only has to exist. */
async function checkMedia(
  deps: Deps,
  { tenantId, channel }: InboxRow,
  content: SendableContent,
  viewer: MediaViewer | undefined,
): Promise<MediaCheck> {
  const [reference] = listMediaReferences(content)
  if (!reference) return {}
  try {
    if (viewer) {
      const { mediaType } = (await getSendableMedia(deps, viewer, channel, content))!
      return mediaType === null ? {} : { mediaType }
    }
    const carried = await loadAttachment(deps, tenantId, channel, content)
    if (!('refused' in carried)) return carried.file ? { mediaType: carried.file.mediaType } : {}
    return { violations: [violation(reference.field, carried.refused.code, carried.refused.message)] }
  } catch (error) {
    if (error instanceof Problem && error.extras.violations) return { violations: error.extras.violations }
    throw error
  }
}

/** Formats the `dispatchError` of a campaign: `code: sentence`. */
export function toDispatchError({ code, field, message }: Violation): string {
  return `${code}: ${field} ${message}`
}
