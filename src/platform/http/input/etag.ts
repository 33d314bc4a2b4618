/** Optimistic concurrency: the ETag of a resource is its revision in quotes (RFC 9110 §13, strong comparison). */
import { fail, invalid, PreconditionFailed, PreconditionRequired, violation } from '../../errors.ts'
import type { IfMatch } from '../route.ts'

export function toEtag(revision: number): string {
  return `"${revision}"`
}

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/

export function readIfMatch(
  header: string | undefined,
  concurrency: 'required' | 'optional' | undefined,
): IfMatch {
  if (header === undefined) {
    // Checked when the revision is compared, so that a 404 comes before a 428.
    return {
      check: () =>
        concurrency === 'required' && fail(PreconditionRequired, 'send If-Match with the ETag you last read'),
    }
  }
  if (header.trim() === '*') return { check: () => {} }
  const tags = header.split(',').map(part => part.trim())
  if (tags.some(tag => !entityTag.test(tag))) {
    invalid(violation('If-Match', 'invalid_format', 'must be *, or entity tags in quotes such as "3"'))
  }
  return {
    check: revision => {
      if (!tags.includes(toEtag(revision)))
        fail(PreconditionFailed, `the current ETag is ${toEtag(revision)}`)
    },
  }
}
