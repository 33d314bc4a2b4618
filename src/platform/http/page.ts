/**
 * Keyset paging. A token holds the sort key of the last row of a page. It is signed and bound to the caller's
 * workspace, the operation and the query, so that it can neither be altered nor used elsewhere.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import Type, { type TProperties, type TSchema } from 'typebox'
import { fail, InvalidPageToken } from '../errors.ts'
import { nullable, object } from './schemas.ts'

export interface PageStyle {
  /** (a) `pageSize`, `pageToken` → `nextPageToken`; (b) `limit`, `cursor` → `nextCursor`, `hasMore`. */
  style: 'token' | 'cursor'
  /** Where the client sends size and token; searches use the body. */
  in?: 'query' | 'body'
  default?: number
  max?: number
  /** `limit` with style (a), as in the list of delivery attempts. */
  sizeName?: 'pageSize' | 'limit'
}

export const tokenPage: PageStyle = { style: 'token' }
export const cursorPage: PageStyle = { style: 'cursor' }

export const nextPageToken = nullable(Type.String({ description: 'null on the last page' }))

export function withNextPage(next: string | undefined): { nextPageToken: string | null } {
  return { nextPageToken: next ?? null }
}

export function cursorList<S extends TSchema>(item: S) {
  return object({ items: Type.Array(item), nextCursor: nullable(Type.String()), hasMore: Type.Boolean() })
}

export function toCursorList<T>(items: T[], next: string | undefined) {
  return { items, nextCursor: next ?? null, hasMore: next !== undefined }
}

export type SortKey = readonly (string | number | boolean | null)[]

export interface Page {
  limit: number
  /** The sort key after which this page begins. */
  after: SortKey | undefined
  /** Takes up to `limit + 1` rows and returns the page, with the token of the next page if there is one. */
  toPage<T>(rows: T[], toSortKey: (row: T) => SortKey): { rows: T[]; next: string | undefined }
}

export function pageNames(style: PageStyle): { size: string; token: string } {
  if (style.style === 'cursor') return { size: 'limit', token: 'cursor' }
  return { size: style.sizeName ?? 'pageSize', token: 'pageToken' }
}

/** Builds the schemas of size and token. Null and an empty token mean the first page, as null is the last page's token. */
export function buildPageProperties(style: PageStyle): TProperties {
  const names = pageNames(style)
  const description = `default ${style.default ?? 50}, at most ${style.max ?? 200}`
  const token = Type.String({
    maxLength: 4096,
    description: 'from the previous page; empty for the first page',
  })
  return {
    [names.size]: Type.Optional(Type.Integer({ minimum: 1, description })),
    [names.token]: Type.Optional(style.in === 'body' ? nullable(token) : token),
  }
}

export function openPage(
  key: Buffer,
  style: PageStyle,
  binding: unknown[],
  size: number | undefined,
  token: string | null | undefined,
): Page {
  const limit = Math.min(size ?? style.default ?? 50, style.max ?? 200)
  const bindingHash = createHash('sha256').update(JSON.stringify(binding)).digest()
  return {
    limit,
    after: token ? unseal(key, bindingHash, token) : undefined,
    toPage: (rows, toSortKey) => {
      if (rows.length <= limit) return { rows, next: undefined }
      const pageRows = rows.slice(0, limit)
      return { rows: pageRows, next: seal(key, bindingHash, toSortKey(pageRows.at(-1)!)) }
    },
  }
}

function computeMac(key: Buffer, bindingHash: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(bindingHash).update(payload).digest().subarray(0, 16)
}

function seal(key: Buffer, bindingHash: Buffer, sortKey: SortKey): string {
  const payload = JSON.stringify(sortKey)
  return Buffer.concat([computeMac(key, bindingHash, payload), Buffer.from(payload)]).toString('base64url')
}

function unseal(key: Buffer, bindingHash: Buffer, token: string): SortKey {
  const bytes = Buffer.from(token, 'base64url')
  const payload = bytes.subarray(16).toString()
  const givenMac = bytes.subarray(0, 16)
  if (
    givenMac.length !== 16 ||
    bytes.toString('base64url') !== token ||
    !timingSafeEqual(givenMac, computeMac(key, bindingHash, payload))
  ) {
    fail(InvalidPageToken, 'start again without a page token, and keep the other parameters as they were')
  }
  return JSON.parse(payload) as SortKey
}
