/** Sends the campaign's message to one contact as a test; not counted and not among the recipients. */
import { findContact } from '../contacts/contacts.ts'
import { getFieldDefinitions } from '../contacts/tags-and-fields/custom-fields.ts'
import { type AcceptedMessage, acceptMany } from '../conversations/outbound/accept-message.ts'
import { renderCachedContent } from '../inboxes/catalogue/render.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { getCampaign, recordCampaignAudit } from './campaigns.ts'
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

export async function sendTest(
  deps: Deps & { write: Write },
  caller: Caller,
  campaignId: string,
  contactId: string,
): Promise<AcceptedMessage> {
  const campaign = await getCampaign(deps.db, caller, campaignId)
  const { inbox, content } = await assertSendable(deps, campaign, caller)
  const id = await findContact(deps.db, caller, contactId)
  return deps.write(async tx => {
    const candidate = await loadCandidate(tx, caller.tenantId, id, inbox.channel)
    const context = {
      content,
      terms: buildTerms({ channels: deps.channels, clock: tx.clock }, inbox, content),
      fieldDefinitions: await getFieldDefinitions(tx, caller.tenantId),
    }
    const { eligibility } = checkRecipients([candidate], context, 1)[0]!
    if ('reason' in eligibility)
      return invalid(violation('contactId', eligibility.reason, skipMessages[eligibility.reason]!))
    const counterpart = { externalId: eligibility.address, name: candidate.name }
    const sender = { type: 'campaign' as const, id: campaign.id }
    const draft = { sender, content: renderCachedContent(deps, inbox, eligibility.content), context: [] }
    const [accepted] = await acceptMany(tx, inbox, [{ counterpart, draft }])
    await recordCampaignAudit(tx, caller, 'tested', campaign, { contactId: id })
    return accepted!
  })
}
