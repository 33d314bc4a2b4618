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
  useEffect(() => {
    setError(undefined)
    call(api.GET('/contacts/{id}', { params: { path: { id: contactId } } })).then(setContact, setError)
    return onFrames(frames => {
      const changed = frames.findLast(
        ({ type, data }) => type.startsWith('contact.') && data.contact?.id === contactId,
      )
      if (changed) setContact(before => ({ ...before, ...changed.data.contact }))
    })
  }, [contactId])
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
  return { contact, error, change }
}
