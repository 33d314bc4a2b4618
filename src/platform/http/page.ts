/**
 * Keyset paging. A token holds the sort key of the last row shown, is signed, and is bound to the caller's workspace,
 * the operation and the query it came from, so that it can neither be altered nor used elsewhere.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { fail, InvalidPageToken } from '../errors.ts'

export interface PageStyle {
  /** (a) `pageSize`, `pageToken` → `nextPageToken`; (b) `limit`, `cursor` → `nextCursor`, `hasMore`. */
  style: 'token' | 'cursor'
  /** Where size and token are given; the body for searches. */
  in?: 'query' | 'body'
  default?: number
  max?: number
  /** `limit` with style (a), as the attempts list has it. */
  sizeName?: 'pageSize' | 'limit'
}

export const tokenPage: PageStyle = { style: 'token' }
export const cursorPage: PageStyle = { style: 'cursor' }

export type SortKey = readonly (string | number | boolean | null)[]

export interface Page {
  limit: number
  /** The sort key after which this page begins. */
  after: SortKey | undefined
  /** Takes up to `limit + 1` rows and tells whether there is a next page. */
  cut<T>(rows: T[], keyOf: (row: T) => SortKey): { rows: T[]; next: string | undefined }
}

export function pageNames(style: PageStyle): { size: string; token: string } {
  if (style.style === 'cursor') return { size: 'limit', token: 'cursor' }
  return { size: style.sizeName ?? 'pageSize', token: 'pageToken' }
}

export function openPage(
  key: Buffer,
  style: PageStyle,
  binding: unknown[],
  size: number | undefined,
  token: string | undefined,
): Page {
  const limit = Math.min(size ?? style.default ?? 50, style.max ?? 200)
  const bound = createHash('sha256').update(JSON.stringify(binding)).digest()
  return {
    limit,
    after: token === undefined ? undefined : unseal(key, bound, token),
    cut: (rows, keyOf) => {
      if (rows.length <= limit) return { rows, next: undefined }
      const shown = rows.slice(0, limit)
      return { rows: shown, next: seal(key, bound, keyOf(shown.at(-1)!)) }
    },
  }
}

function mac(key: Buffer, bound: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(bound).update(payload).digest().subarray(0, 16)
}

function seal(key: Buffer, bound: Buffer, sortKey: SortKey): string {
  const payload = JSON.stringify(sortKey)
  return Buffer.concat([mac(key, bound, payload), Buffer.from(payload)]).toString('base64url')
}

function unseal(key: Buffer, bound: Buffer, token: string): SortKey {
  const bytes = Buffer.from(token, 'base64url')
  const payload = bytes.subarray(16).toString()
  const given = bytes.subarray(0, 16)
  if (
    given.length !== 16 ||
    bytes.toString('base64url') !== token ||
    !timingSafeEqual(given, mac(key, bound, payload))
  ) {
    fail(InvalidPageToken, 'start again without a page token, and keep the other parameters as they were')
  }
  return JSON.parse(payload) as SortKey
}
