/** The chat application: WhatsApp's Cloud API. */
import type { Account, Checked, MediaFile, Outgoing, Provider, Reacting, Sent } from '../../provider.ts'
import { acceptedWithoutId, attempt, CallFailed, callProvider, noToken, repeatable } from '../call.ts'
import { formOf } from '../files.ts'
import {
  bodyOf,
  downloadGraph,
  graph,
  graphRead,
  type Json,
  recordIn,
  recordsIn,
  textIn,
  verifyHub,
} from '../graph.ts'
import { chatappMeaning } from './errors.ts'
import { readChatapp } from './incoming.ts'
import { messageBody, reactionBody } from './outgoing.ts'

function idIn(answer: Json): string {
  const id = textIn(recordsIn(answer.messages)[0]?.id)
  if (id) return id
  throw acceptedWithoutId()
}

async function post(account: Account, body: Json): Promise<string> {
  const call = { method: 'POST', path: `${account.externalId}/messages`, body } as const
  return idIn(await graph(account, call, chatappMeaning))
}

const send = (account: Account, outgoing: Outgoing): Promise<Sent> =>
  attempt(async () => {
    const media = outgoing.media ? { id: await upload(account, outgoing.media) } : undefined
    return post(account, messageBody(outgoing, media))
  })

const react = (account: Account, reacting: Reacting): Promise<Sent> =>
  attempt(() => post(account, reactionBody(reacting)))

/** Nobody has been written to yet when this fails, so it is never uncertain. */
function upload(account: Account, file: MediaFile): Promise<string> {
  if (account.token === '') throw noToken()
  return repeatable(async () => {
    const form = await formOf({ messaging_product: 'whatsapp', type: file.mimeType }, file)
    const answer = await callProvider({
      method: 'POST',
      url: `${account.baseUrl}/${account.externalId}/media`,
      headers: { authorization: `Bearer ${account.token}`, ...form.headers },
      body: form.body,
      timeoutMs: 120_000,
    })
    const id = textIn(bodyOf(answer, uploadMeaning).id)
    if (id) return id
    throw new CallFailed({ kind: 'retryable', code: 'media_upload_failed', message: 'the upload got no id' })
  })
}

const uploadMeaning: typeof chatappMeaning = (error, status) => {
  const meaning = chatappMeaning(error, status)
  return meaning.code === 'rejected' ? { ...meaning, code: 'media_upload_failed' } : meaning
}

/** What is not there is the file, not the account. */
const mediaMeaning: typeof chatappMeaning = (error, status) => {
  const meaning = chatappMeaning(error, status)
  return meaning.code === 'account_unknown' ? { ...meaning, code: 'media_download_failed' } : meaning
}

const rates: Record<string, number> = { STANDARD: 80, HIGH: 1000 }

export function rateIn(number: Json): { ratePerSecond?: number } {
  const ratePerSecond = rates[String(recordIn(number.throughput)?.level)]
  return ratePerSecond === undefined ? {} : { ratePerSecond }
}

async function check(account: Account): Promise<Checked> {
  const fields = 'id,throughput,quality_rating,status'
  const number = await graphRead(account, { path: account.externalId, query: { fields } }, chatappMeaning)
  return {
    ok: true,
    ...rateIn(number),
    lowQuality: number.quality_rating === 'RED',
    locked: number.status === 'BANNED' || number.status === 'RESTRICTED',
  }
}

/**
 * An override for the business account; an empty subscription has to come first. Where there is one already it is not
 * repeated: that would take the override away, and what happens until it is back would be told to nobody.
 */
async function register({ config, callbackUrl, ...access }: Account, verifyToken: string): Promise<void> {
  const path = `${config.wabaId}/subscribed_apps`
  const override = { override_callback_uri: callbackUrl, verify_token: verifyToken }
  const { data } = await graphRead(access, { path }, chatappMeaning)
  const isOverridden = Array.isArray(data) && data.some(app => app?.override_callback_uri !== undefined)
  for (const body of isOverridden ? [override] : [{}, override])
    await graphRead(access, { method: 'POST', path, body }, chatappMeaning)
}

export const chatapp: Provider = {
  channel: 'chatapp',
  send,
  react,
  // The evidence comes by itself, in the statuses; there is no list to look into.
  findSent: async () => [],
  check: account =>
    check(account).catch(error => {
      if (error instanceof CallFailed) return { ok: false, failure: error.failure }
      throw error
    }),
  register,
  download: async (account, reference) => {
    const query = { phone_number_id: account.externalId }
    const node = await graphRead(account, { path: encodeURIComponent(reference), query }, mediaMeaning)
    const file = await downloadGraph(account, String(node.url))
    return { ...file, mimeType: textIn(node.mime_type) ?? file.mimeType }
  },
  verify: verifyHub,
  read: callback => readChatapp(callback.body),
}
