/** The contact of the open conversation: read once, changed by the user and by events. */
import { useEffect, useRef, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { type Frame, onFrames } from '../../api/realtime.ts'
import { describeRefusal } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'

export type Contact = Schemas['Contact']

/** Shows the values immediately, and takes them back if the service refuses the request. Returns whether it was accepted. */
export type ChangeContact = (values: Partial<Contact>, request: () => Promise<unknown>) => Promise<boolean>

export function useContact(contactId: string) {
  const [contact, setContact] = useState<Contact>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // Values of the user until an event confirms them: an event about another change has older values of these fields.
  const unconfirmed = useRef<Partial<Contact>>({})
  const confirm = (fields: readonly string[]) => {
    for (const field of fields) delete unconfirmed.current[field as keyof Contact]
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the contact again
  useEffect(() => {
    setError(undefined)
    unconfirmed.current = {}
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
      const changed = frames.filter(
        ({ type, data }) => type.startsWith('contact.') && data.contact?.id === contactId,
      )
      if (changed.length === 0) return
      newest = changed.at(-1)!.data.contact
      confirm(changed.flatMap(({ data }: Frame) => data.changes ?? []))
      const values = { ...newest, ...unconfirmed.current }
      setContact(before => (before?.id === contactId ? { ...before, ...values } : before))
    })
    return () => {
      isCurrent = false
      stop()
    }
  }, [contactId, attempt])
  const change: ChangeContact = async (values, request) => {
    const before = contact
    Object.assign(unconfirmed.current, values)
    setContact(now => now && { ...now, ...values })
    try {
      await request()
      return true
    } catch (cause) {
      confirm(Object.keys(values))
      setContact(before)
      const problem = ApiError.from(cause)
      showToast({ text: describeRefusal(problem), tone: 'danger' })
      return false
    }
  }
  return { contact, error, change, reload: () => setAttempt(before => before + 1) }
}
