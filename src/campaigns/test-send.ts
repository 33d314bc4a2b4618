/** The campaign's message for one contact: as a preview, or sent as a test that is not counted among the recipients. */
import { findContact } from '../contacts/contacts.ts'
import { getFieldDefinitions } from '../contacts/tags-and-fields/custom-fields.ts'
import { type AcceptedMessage, acceptMany } from '../conversations/outbound/accept-message.ts'
import { renderCachedContent } from '../inboxes/catalogue/render.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { getCampaign, recordCampaignChange } from './campaigns.ts'
import type { CampaignPreview } from './schemas.ts'
import { buildTerms, checkRecipients } from './sending/eligibility.ts'
import { loadCandidate } from './store/candidates.ts'
import { assertSendable } from './validation.ts'

const skipMessages: Record<string, string> = {
  archived: 'is archived',
  opted_out: 'opted out of messages on this channel',
  no_identity: 'has no address on this channel',
  window_closed: 'is outside the messaging window; use a template',
  missing_parameter: 'lacks a value that the message requires',
}

type Rendered = Extract<ReturnType<typeof checkRecipients>[number]['eligibility'], { content: unknown }>

/** Builds the message of a campaign for one contact, by the rules of dispatch. */
async function renderFor(deps: Deps, tx: Tx, { caller, sendable: { inbox, content }, contactId }: Target) {
  const id = await findContact(tx, caller, contactId)
  const candidate = await loadCandidate(tx, caller.tenantId, id, inbox.channel)
  const context = {
    content,
    terms: buildTerms({ channels: deps.channels, clock: tx.clock }, inbox, content),
    fieldDefinitions: await getFieldDefinitions(tx, caller.tenantId),
  }
  const { eligibility } = checkRecipients([candidate], context, 1)[0]!
  const render = (rendered: Rendered) => renderCachedContent(deps, inbox, rendered.content)
  return { inbox, candidate, eligibility, render, contactId: id }
}

interface Target {
  caller: Caller
  sendable: Awaited<ReturnType<typeof assertSendable>>
  contactId: string
}

export async function previewCampaign(
  deps: Deps,
  caller: Caller,
  campaignId: string,
  contactId: string,
): Promise<CampaignPreview> {
  const campaign = await getCampaign(deps.db, caller, campaignId)
  const sendable = await assertSendable(deps, campaign, caller)
  return transact(deps.db, async tx => {
    const rendered = await renderFor(deps, tx, { caller, sendable, contactId })
    const { eligibility, contactId: id } = rendered
    if ('reason' in eligibility) return { contactId: id, content: null, skipReason: eligibility.reason }
    return { contactId: id, content: rendered.render(eligibility), skipReason: null }
  })
}

export async function sendTest(
  deps: Deps & { write: Write },
  caller: Caller,
  campaignId: string,
  contactId: string,
): Promise<AcceptedMessage> {
  const campaign = await getCampaign(deps.db, caller, campaignId)
  const sendable = await assertSendable(deps, campaign, caller)
  return deps.write(async tx => {
    const {
      inbox,
      candidate,
      eligibility,
      render,
      contactId: id,
    } = await renderFor(deps, tx, { caller, sendable, contactId })
    if ('reason' in eligibility)
      return invalid(violation('contactId', eligibility.reason, skipMessages[eligibility.reason]!))
    const counterpart = { externalId: eligibility.address, name: candidate.name }
    const sender = { type: 'campaign' as const, id: campaign.id }
    const draft = { sender, content: render(eligibility), context: [] }
    const [accepted] = await acceptMany(tx, inbox, [{ counterpart, draft }])
    await recordCampaignChange(tx, caller, 'tested', campaign, { contactId: id })
    return accepted!
  })
}
