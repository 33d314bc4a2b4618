/** The journeys and chatbots that the contact is or was in, and why it enters a journey or does not. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { useResource } from '../../app/use-resource.ts'
import { formatWhen } from '../../i18n/format.ts'
import details from '../../inbox/details/details.module.css'
import type { Item } from '../../segments/filter/conditions.ts'
import { describeItem } from '../../segments/filter/describe-filter.ts'
import { type ReferenceLists, useReferences } from '../../segments/filter/references.ts'
import segments from '../../segments/segments.module.css'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/field.tsx'
import { BoltIcon, CheckIcon, CloseIcon } from '../../ui/controls/icons.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import styles from './page.module.css'
import { PagedList } from './paged-list.tsx'
import { texts } from './texts.ts'
import { usePaged } from './use-paged.ts'

export function Journeys({ contactId }: { contactId: string }) {
  const lists = useReferences()
  const [explainedId, setExplained] = useState<string>()
  const list = usePaged(
    contactId,
    async pageToken => {
      const params = { path: { id: contactId }, query: pageToken ? { pageToken } : {} }
      const page = await call(api.GET('/contacts/{id}/runs', { params }))
      return { items: page.runs, next: page.nextPageToken }
    },
    () => false,
  )
  const findName = (id: string) => lists.journeys.find(journey => journey.id === id)?.name
  return (
    <>
      <PagedList
        label={texts().tabs.runs}
        empty={texts().noRuns}
        list={list}
        render={({ id, workflowKind, workflowId, status, startedAt }) => {
          const name = findName(workflowId) ?? texts()[workflowKind]
          return (
            <li key={id} className={styles.entry}>
              <BoltIcon />
              <span>
                {name}{' '}
                {workflowKind === 'journey' && (
                  <Button
                    look="plain"
                    aria-label={texts().whyOf(name)}
                    onClick={() => setExplained(workflowId)}
                  >
                    {texts().why}
                  </Button>
                )}
              </span>
              <span className={details.muted}>
                {texts().statuses[status]} · {formatWhen(startedAt)}
              </span>
            </li>
          )
        }}
      />
      {lists.journeys.length > 0 && (
        <section className={styles.why} aria-label={texts().whyTitle}>
          <h2 className={styles.heading}>{texts().whyTitle}</h2>
          <Select
            label={texts().chooseJourney}
            value={explainedId ?? ''}
            onChange={event => setExplained(event.target.value || undefined)}
          >
            <option value="">{texts().noJourney}</option>
            {lists.journeys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          {explainedId && (
            <Explanation
              key={explainedId}
              contactId={contactId}
              journeyId={explainedId}
              name={findName(explainedId) ?? texts().deletedJourney}
              lists={lists}
            />
          )}
        </section>
      )}
    </>
  )
}

interface ExplanationProps {
  contactId: string
  journeyId: string
  name: string
  lists: ReferenceLists
}

/** Read again when the contact changes. */
function Explanation({ contactId, journeyId, name, lists }: ExplanationProps) {
  const { data, error, reload } = useResource(
    `${journeyId} ${contactId}`,
    () => {
      const params = { path: { id: journeyId, contactId } }
      return call(api.GET('/journeys/{id}/contacts/{contactId}/explain', { params }))
    },
    { isAffected: ({ type, data }) => type.startsWith('contact.') && data.contact?.id === contactId },
  )
  if (!data) return error === undefined ? <Loading rows={2} /> : <Failure error={error} onRetry={reload} />
  const { wouldEnter, reasons, conditions, events } = data
  return (
    <div role="status">
      <p>{wouldEnter ? texts().wouldEnter(name) : texts().wouldNotEnter(name)}</p>
      <ul>
        {reasons.map(({ code, message }) => (
          <li key={code}>{texts().reasons[code] ?? message}</li>
        ))}
      </ul>
      <Conditions conditions={conditions} lists={lists} />
      {events.length > 0 && (
        <>
          <h3 className={styles.heading}>{texts().latestEvents}</h3>
          <ul aria-label={texts().latestEvents}>
            {events.map(({ type, timestamp, message }) => (
              <li key={`${type} ${timestamp}`}>
                {formatWhen(timestamp)} · {type} · {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Conditions({
  conditions,
  lists,
}: {
  conditions: Schemas['EntryExplanation']['conditions']
  lists: ReferenceLists
}) {
  if (conditions.length === 0) return null
  return (
    <ul aria-label={texts().conditions}>
      {conditions.map(({ condition, holds }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be equal
        <li key={index} className={segments.mark} data-holds={holds}>
          {holds ? <CheckIcon /> : <CloseIcon />}
          <span>
            {holds ? texts().holds : texts().holdsNot}{' '}
            {describeItem(condition as unknown as Item, lists, true)}
          </span>
        </li>
      ))}
    </ul>
  )
}
