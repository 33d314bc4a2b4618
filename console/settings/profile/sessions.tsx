/** The user's sessions. One that the user does not know can be ended. */
import { api, call, type Schemas } from '../../api/client.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Row } from '../common/row.tsx'
import { attempt } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts } from './texts.ts'

type AuthSession = Schemas['AuthSession']

const limit = 100

export function Sessions() {
  const params = { query: { limit } }
  const state = useLoaded(async () => (await call(api.GET('/users/me/sessions', { params }))).items)
  const end = (id: string) =>
    attempt(async () => {
      await call(api.DELETE('/users/me/sessions/{id}', { params: { path: { id } } }))
      await state.reload()
    }, texts().ended)
  return (
    <Section title={texts().sessions}>
      <p className={styles.muted}>{texts().sessionsHint}</p>
      <Loaded state={state}>
        {sessions => (
          <ul aria-label={texts().sessions}>
            {sessions.map(session => (
              <SessionRow key={session.id} session={session} onEnd={() => void end(session.id)} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: AuthSession; onEnd: () => void }) {
  const { kind, address, userAgent, createdAt, lastUsedAt, isCurrent } = session
  const client = describeClient(userAgent)
  const facts = [
    texts().lastUsed(formatDateTime(new Date(lastUsedAt))),
    texts().signedIn(formatDateTime(new Date(createdAt))),
    address ?? undefined,
  ]
  return (
    <Row>
      <div className={styles.texts}>
        <p className={styles.name}>
          {client}
          <Status>{texts().kinds[kind]}</Status>
          {isCurrent && <Status tone="success">{texts().thisSession}</Status>}
        </p>
        <p className={styles.muted}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {!isCurrent && (
        <Button aria-label={texts().end(client)} onClick={onEnd}>
          {texts().endNow}
        </Button>
      )}
    </Row>
  )
}

const browsers = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' }
const systems = {
  Android: 'Android',
  iPhone: 'iOS',
  iPad: 'iPadOS',
  Windows: 'Windows',
  Mac: 'macOS',
  Linux: 'Linux',
}

const find = (names: Record<string, string>, text: string) =>
  Object.entries(names).find(([part]) => text.includes(part))?.[1]

/** Returns browser and system, or the beginning of a user agent that is not a browser. */
function describeClient(userAgent: string | null): string {
  if (!userAgent) return texts().unknownClient
  const [browser, system] = [find(browsers, userAgent), find(systems, userAgent)]
  return browser && system ? texts().on(browser, system) : userAgent.slice(0, 60)
}
