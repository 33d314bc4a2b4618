/** What the chat provider has for us to choose from: numbers, templates, flows. */
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import type { Page } from '../platform/http/page.ts'
import { getAccount } from './accounts.ts'
import { ResourceNotFound } from './errors.ts'
import { notGranted } from './grants.ts'
import { pageFrom } from './listing.ts'
import { asking } from './provider-problems.ts'
import {
  flowPage,
  isRegistered,
  listNumbers,
  templateIn,
  templatePage,
} from './providers/chatapp/catalogue.ts'
import { type Json, textIn } from './providers/graph.ts'
import { type ChatappFlow, type ChatappPhoneNumber, type ChatappTemplate, isProviderId } from './schemas.ts'
import type { InboxRow } from './store/inboxes.ts'

const listed = ['APPROVED', 'PENDING']

export async function templatesPage(deps: Deps, inbox: InboxRow, page: Page) {
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  return pageFrom(
    page,
    after => templatePage(account, inbox.resourceId, after),
    node => (listed.includes(String(node.status)) ? shownTemplate(node) : undefined),
  )
}

function shownTemplate(node: Json): ChatappTemplate {
  const { parameter_format: _format, ...template } = templateIn(node)
  return template
}

export async function flowsPage(deps: Deps, inbox: InboxRow, page: Page) {
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  return pageFrom(
    page,
    after => flowPage(account, inbox.resourceId, after),
    node => (node.status === 'PUBLISHED' ? flowIn(node) : undefined),
  )
}

function flowIn(node: Json): ChatappFlow {
  return {
    id: textIn(node.id) ?? '',
    name: textIn(node.name) ?? '',
    status: 'PUBLISHED',
    categories: Array.isArray(node.categories) ? node.categories.map(String) : [],
  }
}

/** With the deployment's token: of what was not granted, it does not even say whether it exists. */
export async function chatappNumbers(
  deps: Deps,
  tenantId: string,
  wabaId: string,
): Promise<ChatappPhoneNumber[]> {
  if (!isProviderId(wabaId)) fail(ResourceNotFound)
  if ((await notGranted(deps, tenantId, 'chatapp', [wabaId])).length > 0) fail(ResourceNotFound)
  const { baseUrl, token } = deps.channels.chatapp
  return (await asking(listNumbers({ baseUrl, token: token ?? '' }, wabaId))).map(numberIn)
}

function numberIn(node: Json): ChatappPhoneNumber {
  return {
    id: textIn(node.id) ?? '',
    displayPhoneNumber: textIn(node.display_phone_number) ?? '',
    verifiedName: textIn(node.verified_name) ?? null,
    qualityRating: textIn(node.quality_rating) ?? null,
    codeVerificationStatus: textIn(node.code_verification_status) ?? null,
    isRegistered: isRegistered(node),
  }
}
