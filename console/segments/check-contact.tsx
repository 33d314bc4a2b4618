/** Finds a contact and shows which conditions of the segment it meets. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { CheckIcon, CloseIcon } from '../ui/controls/icons.tsx'
import { describe } from '../ui/layout/state-view.tsx'
import type { Item } from './filter/conditions.ts'
import { describeItem } from './filter/describe-filter.ts'
import type { ReferenceLists } from './filter/references.ts'
import { type FoundContact, useFoundContacts } from './find-contacts.ts'
import styles from './segments.module.css'
import { texts } from './texts.ts'
import type { Segment } from './use-segment.ts'

interface CheckContactProps {
  segment: Segment
  isDirty: boolean
  lists: ReferenceLists
}

const toName = ({ name, phone, email }: FoundContact) => name ?? phone ?? email ?? texts().unnamed

export function CheckContact({ segment, isDirty, lists }: CheckContactProps) {
  const [text, setText] = useState('')
  const [contact, setContact] = useState<FoundContact>()
  const found = useFoundContacts(text)
  const choose = (chosen: FoundContact) => {
    setText('')
    setContact(chosen)
  }
  return (
    <section className={styles.stack} aria-label={texts().check}>
      <h2>{texts().check}</h2>
      <TextField
        label={texts().findContact}
        hint={isDirty ? texts().checkSaved : texts().checkHint}
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={event => setText(event.target.value)}
      />
      {found.length > 0 && (
        <ul className={styles.rows}>
          {found.map(item => (
            <li key={item.id}>
              <Button look="plain" onClick={() => choose(item)}>
                {toName(item)} {item.name && item.phone}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {contact && (
        <Explanation
          key={`${contact.id} ${segment.revision}`}
          segment={segment}
          contact={contact}
          lists={lists}
        />
      )}
    </section>
  )
}

function Explanation({
  segment,
  contact,
  lists,
}: Pick<CheckContactProps, 'segment' | 'lists'> & { contact: FoundContact }) {
  const [explanation, setExplanation] = useState<Schemas['SegmentExplanation']>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const path = { segmentId: segment.id, contactId: contact.id }
    call(api.GET('/segments/{segmentId}/contacts/{contactId}/explain', { params: { path } })).then(
      setExplanation,
      setError,
    )
  }, [segment.id, contact.id])
  if (error) return <p role="alert">{describe(ApiError.from(error))}</p>
  if (!explanation) return null
  const { matches, conditions } = explanation
  return (
    <div role="status">
      <p>{matches ? texts().matches(toName(contact)) : texts().matchesNot(toName(contact))}</p>
      <ul aria-label={texts().check}>
        {conditions.map(({ condition, holds, implied }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be equal
          <li key={index} className={styles.mark} data-holds={holds}>
            {holds ? <CheckIcon /> : <CloseIcon />}
            <span>
              {holds ? texts().holds : texts().holdsNot}{' '}
              {describeItem(condition as unknown as Item, lists, true)}
              {implied && ` (${texts().implied})`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
