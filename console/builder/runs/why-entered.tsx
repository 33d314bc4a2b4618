/** Finds a contact and shows why it did or did not enter the journey. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { useResource } from '../../app/use-resource.ts'
import { formatFull } from '../../i18n/format.ts'
import type { Item } from '../../segments/filter/conditions.ts'
import { describeItem } from '../../segments/filter/describe-filter.ts'
import { useReferences } from '../../segments/filter/references.ts'
import { type FoundContact, useFoundContacts } from '../../segments/find-contacts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { CheckIcon, CloseIcon } from '../../ui/controls/icons.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import styles from './runs.module.css'
import { texts } from './texts.ts'

type Explanation = Schemas['EntryExplanation']

interface WhyEnteredProps {
  workflowId: string
  onOpen: (runId: string) => void
}

const toName = ({ name, phone, email, id }: FoundContact) => name ?? phone ?? email ?? id

export function WhyEntered({ workflowId, onOpen }: WhyEnteredProps) {
  const [text, setText] = useState('')
  const [contact, setContact] = useState<FoundContact>()
  const found = useFoundContacts(text)
  if (!hasScope('contact:read') || !hasScope('contact:list')) return null
  return (
    <section className={styles.section} aria-label={texts().why}>
      <h3>{texts().why}</h3>
      <TextField
        label={texts().findContact}
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={event => setText(event.target.value)}
      />
      {found.length > 0 && (
        <ul className={styles.list}>
          {found.map(item => (
            <li key={item.id}>
              <Button
                look="plain"
                onClick={() => {
                  setText('')
                  setContact(item)
                }}
              >
                {toName(item)} {item.name && item.phone}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {contact && <Explained workflowId={workflowId} contact={contact} onOpen={onOpen} />}
    </section>
  )
}

function Explained({ workflowId, contact, onOpen }: WhyEnteredProps & { contact: FoundContact }) {
  const params = { path: { id: workflowId, contactId: contact.id } }
  const { data, error, reload } = useResource(`explain ${contact.id}`, () =>
    call(api.GET('/journeys/{id}/contacts/{contactId}/explain', { params })),
  )
  if (error !== undefined) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading rows={2} />
  const { wouldEnter, latestRun } = data
  const name = toName(contact)
  return (
    <div className={styles.section} role="status">
      <p>
        <strong>
          {latestRun ? texts().entered(name, formatFull(latestRun.startedAt)) : texts().notEntered(name)}
        </strong>
      </p>
      <p>{wouldEnter ? texts().wouldEnter : texts().wouldNotEnter}</p>
      <Reasons explanation={data} />
      {latestRun && <Button onClick={() => onOpen(latestRun.id)}>{texts().openRun}</Button>}
    </div>
  )
}

/** The time that a reason concerns is part of the words of the service. */
function nameReason({ code, message }: { code: string; message: string }): string {
  const text = texts().reasonsByCode[code]
  if (text === undefined) return message
  const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(message)?.[0]
  return time ? `${text} (${formatFull(time)})` : text
}

function Reasons({ explanation }: { explanation: Explanation }) {
  const lists = useReferences()
  const { reasons, conditions, events, keys = [] } = explanation
  return (
    <>
      <ul className={styles.list} aria-label={texts().reasons}>
        {reasons.map(({ code, message }) => (
          <li key={code} className={styles.mark} data-holds="false">
            <CloseIcon />
            <span>{nameReason({ code, message })}</span>
          </li>
        ))}
        {conditions.map(({ condition, holds }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be equal
          <li key={i} className={styles.mark} data-holds={holds}>
            {holds ? <CheckIcon /> : <CloseIcon />}
            <span>
              {holds ? texts().holds : texts().holdsNot}{' '}
              {describeItem(condition as unknown as Item, lists, true)}
            </span>
          </li>
        ))}
        {keys.map(({ key, wouldEnter, reason }) => (
          <li key={key ?? ''} className={styles.mark} data-holds={wouldEnter}>
            {wouldEnter ? <CheckIcon /> : <CloseIcon />}
            <span>
              {texts().withKey(key ?? '–')}
              {reason && `: ${nameReason(reason)}`}
            </span>
          </li>
        ))}
      </ul>
      {events.length > 0 && (
        <>
          <h4>{texts().events}</h4>
          <ul className={styles.list} aria-label={texts().events}>
            {events.map(({ type, timestamp, outcome, message }) => (
              <li key={`${type} ${timestamp} ${outcome}`}>
                <code>{type}</code> <span className={styles.muted}>{formatFull(timestamp)}</span>
                <p className={styles.muted}>{texts().eventOutcomes[outcome] ?? message}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
