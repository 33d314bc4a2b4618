/** Reads conversations: the list, and the twenty newest messages of one conversation. */

import { getMessageId, type SandboxContext } from '../context.ts'
import { type EdgeHandler, ok, paginate, parseNested, unknownObject } from '../graph/graph.ts'
import { type Json, parseBody } from '../http/bodies.ts'
import type { HttpResponse } from '../http/server.ts'
import type { StoredEntry } from '../store/ledger.ts'
import { getCustomerUsername, getUsername, toGraphTime } from './accounts.ts'

const idPrefix = 'aWdfZAG06'
const maxMessages = 20

const toConversationId = (account: string, customer: string): string =>
  idPrefix + Buffer.from(`${account}/${customer}`).toString('base64url')

export const isConversationId = (id: string): boolean => id.startsWith(idPrefix)

async function readNewest<T>(
  context: SandboxContext,
  account: string,
  customer: string,
  limit: number,
  map: (r: StoredEntry) => T,
) {
  const positions: number[] = []
  for (const position of context.ledger.newestFirst('socialapp', account, customer))
    if (positions.push(position) === limit) break
  return (await context.ledger.read(positions.reverse(), map)).reverse()
}

export const listConversations: EdgeHandler = async (context, account, request, token) => {
  const person = request.query.get('user_id')
  const customers = [...context.ledger.customers('socialapp', account)]
    .filter(([customer]) => customer !== '' && (person === null || customer === person))
    .sort(([, a], [, b]) => b - a)
  const page = paginate(request, customers, { maxSize: 100, token, path: `${account}/conversations` })
  const data = await Promise.all(
    page.data.map(async ([customer]) => {
      const [last] = await readNewest(context, account, customer, 1, ({ entry }) => entry.at)
      return { id: toConversationId(account, customer), updated_time: toGraphTime(last ?? 0) }
    }),
  )
  return ok({ ...page, data })
}

function messageToApi(
  context: SandboxContext,
  account: string,
  customer: string,
  { entry, payload }: StoredEntry,
): Json[] {
  if (entry.kind === 'event') return []
  const message = parseNested(parseBody(payload.toString()).message)
  const business = { id: account, username: getUsername(account) }
  const contact = { id: customer, username: getCustomerUsername(customer) }
  const [from, to] = entry.kind === 'sent' ? [business, contact] : [contact, business]
  const text = String(message.text ?? '')
  return [
    {
      id: getMessageId(context, entry),
      created_time: toGraphTime(entry.at),
      from,
      to: { data: [to] },
      message: text,
    },
  ]
}

export async function getConversation(context: SandboxContext, id: string): Promise<HttpResponse> {
  const [account = '', ...rest] = Buffer.from(id.slice(idPrefix.length), 'base64url').toString().split('/')
  const customer = rest.join('/')
  const messages = await readNewest(context, account, customer, maxMessages, recorded =>
    messageToApi(context, account, customer, recorded),
  )
  if (messages.length === 0) throw unknownObject(id)
  return ok({ id, messages: { data: messages.flat() } })
}
