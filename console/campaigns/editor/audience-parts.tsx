/** The audience of the campaign, and the inbox that sends it. */
import { api, call, type Schemas } from '../../api/client.ts'
import type { Violation } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { formatDuration } from '../../i18n/format.ts'
import { channelNames } from '../../inbox/channels.ts'
import { Select, TextField } from '../../ui/controls/field.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { Part } from './part.tsx'
import { texts } from './texts.ts'
import type { Draft } from './use-draft.ts'

type Segment = Schemas['Segment']

const maxPages = 5

export async function listSegments(): Promise<Segment[]> {
  const items: Segment[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const query = { limit: 200, ...(cursor ? { cursor } : {}) }
    const found: { items: Segment[]; nextCursor: string | null } = await call(
      api.GET('/segments', { params: { query } }),
    )
    items.push(...found.items)
    cursor = found.nextCursor
    if (cursor === null) break
  }
  return items
}

interface PartProps {
  draft: Draft
  violations: readonly Violation[]
}

export function WhoPart({ draft: { values, change }, violations }: PartProps) {
  const { data: segments } = useResource('segments', listSegments, { isAffected: isChange('segment') })
  const { segmentId } = values
  return (
    <Part id="who" violations={violations}>
      <Select
        label={texts().segment}
        value={segmentId ?? ''}
        hint={segmentId && <SegmentCount segmentId={segmentId} />}
        onChange={event => change({ segmentId: event.target.value || null })}
      >
        <option value="">{texts().chooseSegment}</option>
        {segments?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {hasScope('segment:list') && (
        <p>
          <a href="/segments">{texts().manageSegments}</a>
        </p>
      )}
    </Part>
  )
}

/** Contacts join and leave while they are changed. */
function SegmentCount({ segmentId }: { segmentId: string }) {
  const params = { path: { segmentId } }
  const isSegment = isChange('segment', segmentId)
  const { data } = useResource(segmentId, () => call(api.GET('/segments/{segmentId}/count', { params })), {
    isAffected: frame => isSegment(frame) || frame.type.startsWith('contact.'),
    minGapMs: 1_000,
  })
  return data ? texts().inSegment(shared().contacts(data.totalSize)) : null
}

interface FromPartProps extends PartProps {
  durationSeconds: number | null | undefined
}

export function FromPart({ draft: { values, change }, violations, durationSeconds }: FromPartProps) {
  const inboxes = [...getSignedIn().inboxes.values()]
  const { inboxId, sendRate } = values
  const setRate = (text: string) => change({ sendRate: Number(text) > 0 ? Number(text) : null })
  return (
    <Part id="from" violations={violations}>
      <div className={styles.pair}>
        <Select
          label={texts().inbox}
          value={inboxId ?? ''}
          onChange={event => change({ inboxId: event.target.value || null })}
        >
          <option value="">{texts().chooseInbox}</option>
          {inboxes.map(({ id, name, channel }) => (
            <option key={id} value={id}>
              {name} · {channelNames[channel]}
            </option>
          ))}
        </Select>
        <TextField
          label={texts().rate}
          type="number"
          min={1}
          max={10_000}
          value={sendRate ?? ''}
          hint={texts().rateHint}
          onChange={event => setRate(event.target.value)}
        />
      </div>
      {typeof durationSeconds === 'number' && <p>{texts().takes(formatDuration(durationSeconds * 1_000))}</p>}
    </Part>
  )
}
