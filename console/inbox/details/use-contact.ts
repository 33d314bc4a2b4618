/** The contact of the open conversation: read once, changed by the user and by events. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { onFrames } from '../../api/realtime.ts'
import { describe } from '../../ui/state-view.tsx'
import { showToast } from '../../ui/toasts.ts'

export type Contact = Schemas['Contact']

/** Shows the values immediately, and takes them back if the service refuses the request. Returns whether it was accepted. */
export type ChangeContact = (values: Partial<Contact>, request: () => Promise<unknown>) => Promise<boolean>

export function useContact(contactId: string) {
  const [contact, setContact] = useState<Contact>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the contact again
  useEffect(() => {
    setError(undefined)
    // The contact of the newest event: an event may arrive before the response, and has not all of its members.
    let newest: Contact | undefined
    const withNewest = (contact: Contact): Contact =>
      newest && newest.updatedAt > contact.updatedAt ? { ...contact, ...newest } : contact
    let isCurrent = true
    call(api.GET('/contacts/{id}', { params: { path: { id: contactId } } })).then(
      contact => isCurrent && setContact(withNewest(contact)),
      cause => isCurrent && setError(cause),
    )
    const stop = onFrames(frames => {
      const changed = frames.findLast(
        ({ type, data }) => type.startsWith('contact.') && data.contact?.id === contactId,
      )
      if (!changed) return
      newest = changed.data.contact
      setContact(before => (before?.id === contactId ? { ...before, ...changed.data.contact } : before))
    })
    return () => {
      isCurrent = false
      stop()
    }
  }, [contactId, attempt])
  const change: ChangeContact = async (values, request) => {
    const before = contact
    setContact(now => now && { ...now, ...values })
    try {
      await request()
      return true
    } catch (cause) {
      setContact(before)
      const problem = ApiError.from(cause)
      showToast({ text: problem.violations[0]?.message ?? describe(problem), tone: 'danger' })
      return false
    }
  }
  return { contact, error, change, reload: () => setAttempt(before => before + 1) }
}
