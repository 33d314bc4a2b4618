/** Merges another contact into this one: finds it, shows both side by side, and says what will move. */

import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn } from '../../api/session.ts'
import { toTitle } from '../../app/field-title.ts'
import { t } from '../../i18n/i18n.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import { channelNames } from '../../inbox/channels.ts'
import type { Contact } from '../../inbox/details/use-contact.ts'
import { useFoundContacts } from '../../segments/find-contacts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import contacts from '../contacts.module.css'
import styles from './page.module.css'
import { texts } from './texts.ts'

interface MergeContactProps {
  contact: Contact
  name: string
  onClose: () => void
}

const pageSize = 50

export function MergeContact({ contact, name, onClose }: MergeContactProps) {
  const [text, setText] = useState('')
  const [other, setOther] = useState<Contact>()
  const found = useFoundContacts(text).filter(({ id }) => id !== contact.id)
  const choose = async (id: string) => {
    try {
      setOther(await call(api.GET('/contacts/{id}', { params: { path: { id } } })))
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
  }
  return (
    <Dialog title={texts().mergeTitle(name)} open onClose={onClose}>
      {other ? (
        <Choices contact={contact} other={other} onBack={() => setOther(undefined)} onClose={onClose} />
      ) : (
        <div className={contacts.form}>
          <TextField
            label={texts().find}
            hint={texts().mergeHint}
            type="search"
            value={text}
            maxLength={200}
            autoComplete="off"
            onChange={event => setText(event.target.value)}
          />
          <ul>
            {found.map(({ id, name: other_, phone, email }) => (
              <li key={id}>
                <Button look="plain" onClick={() => void choose(id)}>
                  {[other_, phone, email].filter(Boolean).join(' · ')}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}

interface Difference {
  /** `name`, or the name of a custom field. */
  key: string
  label: string
  mine: string
  theirs: string
}

/** Lists the properties in which both contacts have different values. A value that only one has is kept in any case. */
function listDifferences(contact: Contact, other: Contact): Difference[] {
  const keys = Object.keys(contact.customFields).filter(key => other.customFields[key])
  const values = [
    { key: 'name', label: texts().name, mine: contact.name ?? '', theirs: other.name ?? '' },
    ...keys.map(key => ({
      key: `field:${key}`,
      label: toTitle(key),
      mine: contact.customFields[key]!,
      theirs: other.customFields[key]!,
    })),
  ]
  return values.filter(({ mine, theirs }) => mine !== theirs && mine !== '' && theirs !== '')
}

function useConversationCount(contactId: string): string {
  const [count, setCount] = useState('…')
  useEffect(() => {
    const params = { path: { id: contactId }, query: { pageSize } }
    call(api.GET('/contacts/{id}/conversations', { params })).then(
      ({ conversations, nextPageToken }) => setCount(`${conversations.length}${nextPageToken ? '+' : ''}`),
      () => {},
    )
  }, [contactId])
  return count
}

async function merge(
  contact: Contact,
  other: Contact,
  taken: readonly Difference[],
  key: string,
): Promise<void> {
  const params = { path: { id: other.id }, header: { 'Idempotency-Key': key } }
  await call(api.POST('/contacts/{id}/merge', { params, body: { intoContactId: contact.id } }))
  if (taken.length === 0) return
  const fields = taken.filter(({ key }) => key !== 'name')
  const name = taken.find(({ key }) => key === 'name')
  const body = {
    ...(name ? { name: name.theirs } : {}),
    customFields: Object.fromEntries(fields.map(({ key, theirs }) => [key.slice('field:'.length), theirs])),
  }
  await call(api.PATCH('/contacts/{id}', { params: { path: { id: contact.id } }, body }))
}

function Choices({
  contact,
  other,
  onBack,
  onClose,
}: Omit<MergeContactProps, 'name'> & { other: Contact; onBack: () => void }) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  // A second attempt finds the contacts merged, and only sets the chosen values.
  const [requestKey] = useState(createKey)
  const differences = listDifferences(contact, other)
  const choose = (key: string, isTheirs: boolean) =>
    setTaken(before => new Set(isTheirs ? [...before, key] : [...before].filter(item => item !== key)))
  const start = async () => {
    setBusy(true)
    try {
      await merge(
        contact,
        other,
        differences.filter(({ key }) => taken.has(key)),
        requestKey,
      )
      showToast({ text: texts().merged })
      onClose()
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
      setBusy(false)
    }
  }
  return (
    <div className={contacts.form}>
      {differences.length > 0 && <p>{texts().chooseValues}</p>}
      {differences.map(({ key, label, mine, theirs }) => (
        <fieldset key={key} className={styles.choice}>
          <legend>{label}</legend>
          {[mine, theirs].map((value, index) => (
            <label key={index === 0 ? 'mine' : 'theirs'}>
              <input
                type="radio"
                name={key}
                aria-label={`${index === 0 ? texts().thisContact : texts().otherContact}: ${value}`}
                checked={taken.has(key) === (index === 1)}
                onChange={() => choose(key, index === 1)}
              />
              <span>{value}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <Moves other={other} />
      <div className={contacts.end}>
        <Button onClick={onBack}>{texts().another}</Button>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="primary" busy={isBusy} onClick={() => void start()}>
          {texts().mergeNow}
        </Button>
      </div>
    </div>
  )
}

function Moves({ other }: { other: Contact }) {
  const { tags } = getSignedIn()
  const conversations = useConversationCount(other.id)
  const { moved, moves } = texts()
  const addresses = other.identities.map(({ externalId }) => externalId).join(', ')
  const tagNames = other.tagIds.map(id => tags.get(id)?.name ?? '…').join(', ')
  const optOuts = other.optOuts.map(channel => channelNames[channel]).join(', ')
  return (
    <section aria-label={moves}>
      <h3>{moves}</h3>
      <ul>
        {addresses && <li>{moved.identities(addresses)}</li>}
        {tagNames && <li>{moved.tags(tagNames)}</li>}
        {optOuts && <li>{moved.optOuts(optOuts)}</li>}
        <li>{moved.conversations(conversations)}</li>
        <li>{moved.notes}</li>
      </ul>
    </section>
  )
}
