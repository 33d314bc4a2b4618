/**
 * Optimistic concurrency and conditional reads: the ETag of a resource is its revision in quotes (RFC 9110 §13). If-Match
 * is compared strongly, If-None-Match weakly.
 */
import { fail, PreconditionFailed, PreconditionRequired } from '../../errors.ts'
import type { IfMatch } from '../route.ts'

export function toEtag(revision: number): string {
  return `"${revision}"`
}

function splitTags(header: string): string[] {
  return header.split(',').map(part => part.trim())
}

/** A header that is not a list of entity tags matches no revision. */
export function readIfMatch(
  header: string | undefined,
  concurrency: 'required' | 'optional' | undefined,
): IfMatch {
  const value = header?.trim()
  if (!value) {
    // Checked when the revision is compared, so that a 404 comes before a 428.
    return {
      check: () =>
        concurrency === 'required' && fail(PreconditionRequired, 'send If-Match with the ETag you last read'),
    }
  }
  if (value === '*') return { check: () => {} }
  return {
    check: revision => {
      if (!splitTags(value).includes(toEtag(revision)))
        fail(PreconditionFailed, `the current ETag is ${toEtag(revision)}`)
    },
  }
}

/** Reports whether the client already has the representation with this ETag. */
export function matchesNone(header: string | undefined, etag: string): boolean {
  if (!header) return false
  const toStrong = (tag: string) => tag.replace(/^W\//, '')
  return splitTags(header).some(tag => tag === '*' || toStrong(tag) === toStrong(etag))
}
