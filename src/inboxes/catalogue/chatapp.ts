/** Lists templates, flows and phone numbers of chatapp accounts in the shapes of the API. */
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Page } from '../../platform/http/page.ts'
import { getAccount, listNotGranted } from '../accounts/accounts.ts'
import { ProviderUnavailable, ResourceNotFound } from '../errors.ts'
import {
  fetchFlowDefinition,
  fetchFlowPage,
  fetchTemplatePage,
  isRegistered,
  listNumbers,
  parseTemplate,
} from '../providers/chatapp/catalogue.ts'
import { asText, type Json } from '../providers/graph.ts'
import { mapProviderErrors } from '../providers/provider-errors.ts'
import {
  type ChatappFlow,
  type ChatappPhoneNumber,
  type ChatappTemplate,
  type FlowScreen,
  isProviderId,
} from '../schemas.ts'
import type { InboxRow } from '../store/inboxes.ts'
import { toScreens } from './flow-screens.ts'
import { findFlow } from './lookup.ts'
import { collectPage } from './pagination.ts'

const listedStatuses = ['APPROVED', 'PENDING']

export async function listTemplates(deps: Deps, inbox: InboxRow, page: Page) {
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  return collectPage(
    page,
    after => fetchTemplatePage(account, inbox.resourceId, after),
    node => (listedStatuses.includes(String(node.status)) ? templateToApi(node) : undefined),
  )
}

function templateToApi(node: Json): ChatappTemplate {
  const { parameter_format: _format, ...template } = parseTemplate(node)
  return template
}

export async function listFlows(deps: Deps, inbox: InboxRow, page: Page) {
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  return collectPage(
    page,
    after => fetchFlowPage(account, inbox.resourceId, after),
    node => (node.status === 'PUBLISHED' ? flowToApi(node) : undefined),
  )
}

function flowToApi(node: Json): ChatappFlow {
  return {
    id: asText(node.id) ?? '',
    name: asText(node.name) ?? '',
    status: 'PUBLISHED',
    categories: Array.isArray(node.categories) ? node.categories.map(String) : [],
  }
}

/** Shows flows of the inbox's business account only: the token of the deployment can read those of other workspaces. */
export async function listFlowScreens(deps: Deps, inbox: InboxRow, flowId: string): Promise<FlowScreen[]> {
  if (!isProviderId(flowId)) fail(ResourceNotFound)
  const flow = await findFlow(deps, inbox, flowId)
  if (flow === null) fail(ResourceNotFound)
  if (!flow) fail(ProviderUnavailable)
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  const definition = await mapProviderErrors(fetchFlowDefinition(account, flowId))
  return toScreens(definition ?? fail(ResourceNotFound, 'the flow has no definition that can be shown'))
}

/** Uses the deployment's token. A business account that was not granted is reported as not found, existing or not. */
export async function listPhoneNumbers(
  deps: Deps,
  tenantId: string,
  wabaId: string,
): Promise<ChatappPhoneNumber[]> {
  if (!isProviderId(wabaId)) fail(ResourceNotFound)
  if ((await listNotGranted(deps, tenantId, 'chatapp', [wabaId])).length > 0) fail(ResourceNotFound)
  const { baseUrl, token } = deps.channels.chatapp
  return (await mapProviderErrors(listNumbers({ baseUrl, token: token ?? '' }, wabaId))).map(phoneNumberToApi)
}

function phoneNumberToApi(node: Json): ChatappPhoneNumber {
  return {
    id: asText(node.id) ?? '',
    displayPhoneNumber: asText(node.display_phone_number) ?? '',
    verifiedName: asText(node.verified_name) ?? null,
    qualityRating: asText(node.quality_rating) ?? null,
    codeVerificationStatus: asText(node.code_verification_status) ?? null,
    isRegistered: isRegistered(node),
  }
}
