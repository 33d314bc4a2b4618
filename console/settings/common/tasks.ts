/** Runs writes of the settings pages and shows their result. */
import { useRef } from 'react'
import { ApiError } from '../../api/errors.ts'
import { hasScope, session } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'

/** Returns a function that tells whether the user holds a scope; the component renders again when the rights change. */
export function useScopes(): (scope: string) => boolean {
  useStore(session)
  return hasScope
}

/** Shows the failure as a message. Returns whether the work succeeded. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work()
    if (done) showToast({ text: done })
    return true
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    return false
  }
}

/** Returns the header of a POST: the same key while the same request is repeated, so that it has no second effect. */
export function useIntent(): (request: unknown) => { header: { 'Idempotency-Key': string } } {
  const intent = useRef({ text: '', key: '' })
  return request => {
    const text = JSON.stringify(request)
    if (intent.current.text !== text) intent.current = { text, key: newKey() }
    return { header: { 'Idempotency-Key': intent.current.key } }
  }
}

/** For a write that is not repeated by the user as the same intent, such as a button of a row. */
export const newIntent = () => ({ header: { 'Idempotency-Key': newKey() } })

const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Returns the reason of the first violation of the field, which may be a path such as `hours[0].to`. */
export function findViolation(problem: ApiError | undefined, field: string): string | undefined {
  const found = problem?.violations.find(
    violation => violation.field === field || new RegExp(`(^|[.\\]])${field}([.[]|$)`).test(violation.field),
  )
  return found && t.describeReason(found)
}
