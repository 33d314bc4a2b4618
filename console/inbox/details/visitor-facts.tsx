/** The identity of a visitor of a web chat: signed by the site, or only claimed by the visitor. */
import { api, call } from '../../api/client.ts'
import type { Frame } from '../../api/realtime.ts'
import { hasScope } from '../../api/session.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { formatFull, formatWhen } from '../../i18n/format.ts'
import { screenTexts } from '../../i18n/i18n.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { CheckCircleIcon, WarningIcon } from '../../ui/controls/icons.tsx'
import type { Conversation } from '../state/views.ts'
import { BlockVisitor } from './block-visitor.tsx'
import styles from './details.module.css'
import { Fact, Section } from './section.tsx'

const english = {
  visitor: 'Visitor',
  verified: 'Identified by the site',
  claimed: 'Not verified',
  blocked: 'Blocked',
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone number',
  page: 'Page',
  referrer: 'Came from',
  locale: 'Language',
  lastSeen: 'Last seen',
}
const texts = screenTexts<typeof english>(english, {
  visitor: 'Besucher',
  verified: 'Von der Website identifiziert',
  claimed: 'Nicht geprüft',
  blocked: 'Gesperrt',
  name: 'Name',
  email: 'E-Mail',
  phone: 'Telefonnummer',
  page: 'Seite',
  referrer: 'Kam von',
  locale: 'Sprache',
  lastSeen: 'Zuletzt gesehen',
})

const isBlockChange = (id: string, frame: Frame) => isChange('visitor', id)(frame)
/** The visitor may have written from another page. */
const isMessage = (id: string, { type, data }: Frame) =>
  type === 'message.created' && data.conversation?.id === id

const facts = ['name', 'email', 'phone', 'page', 'referrer', 'locale'] as const

const minGapMs = 1_000

export function VisitorFacts({ conversation: { id } }: { conversation: Conversation }) {
  const path = { id }
  const { data, set } = useResource(
    `visitor ${id}`,
    () => call(api.GET('/conversations/{id}/visitor', { params: { path } })),
    { isAffected: frame => isBlockChange(id, frame) || isMessage(id, frame), minGapMs },
  )
  if (!data) return null
  const { isVerified, lastSeenAt } = data
  return (
    <Section title={texts().visitor}>
      <div>
        <Status
          {...(isVerified
            ? { tone: 'success' as const, icon: CheckCircleIcon }
            : { tone: 'warning' as const, icon: WarningIcon })}
        >
          {isVerified ? texts().verified : texts().claimed}
        </Status>
      </div>
      {data.isBlocked && (
        <div>
          <Status tone="danger" icon={WarningIcon}>
            {texts().blocked}
          </Status>
        </div>
      )}
      <dl className={styles.facts}>
        {facts
          .filter(name => data[name] !== null)
          .map(name => (
            <Fact key={name} name={texts()[name]}>
              {data[name]}
            </Fact>
          ))}
        <Fact name={texts().lastSeen}>
          <time dateTime={lastSeenAt} title={formatFull(lastSeenAt)}>
            {formatWhen(lastSeenAt)}
          </time>
        </Fact>
      </dl>
      {hasScope('conversation:update') && <BlockVisitor conversationId={id} visitor={data} onChange={set} />}
    </Section>
  )
}
