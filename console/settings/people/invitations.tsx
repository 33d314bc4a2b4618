/** Invitations that are not accepted yet: a link that was lost is replaced, one that is not wanted is revoked. */
import { useEffect } from 'react'
import { api, call } from '../../api/client.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { IconButton } from '../../ui/controls/button.tsx'
import { RetryIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { Row } from '../common/row.tsx'
import { attempt, newIntent } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import type { Team, User } from './people.ts'
import { texts } from './texts.ts'

interface InvitationsProps {
  /** The number of links that were created here: the list is read again after each. */
  invited: number
  teams: readonly Team[]
  users: readonly User[]
  onLink: (email: string, token: string) => void
}

const limit = 100

export function Invitations({ invited, teams, users, onLink }: InvitationsProps) {
  const query = { limit }
  const state = useLoaded(
    async () => (await call(api.GET('/users/invitations', { params: { query } }))).items,
    {
      kinds: ['user'],
    },
  )
  const { reload } = state
  useEffect(() => {
    if (invited > 0) void reload()
  }, [invited, reload])
  const renew = (id: string, email: string) =>
    attempt(async () => {
      const params = { path: { id }, ...newIntent() }
      const { token } = await call(api.POST('/users/invitations/{id}/renew', { params }))
      onLink(email, token)
    })
  const revoke = (id: string, email: string) =>
    attempt(async () => {
      await call(api.DELETE('/users/invitations/{id}', { params: { path: { id } } }))
      await reload()
    }, texts().revoked(email))
  const nameTeam = (id: string) => teams.find(team => team.id === id)?.name ?? ''
  return (
    <Section title={texts().invitations}>
      <Loaded state={state} rows={1}>
        {items =>
          items.length === 0 ? (
            <p className={styles.muted}>{texts().noInvitations}</p>
          ) : (
            <ul>
              {items.map(({ id, email, role, teamIds, expiresAt, createdBy }) => (
                <Row key={id}>
                  <div className={styles.texts}>
                    <p className={styles.name}>
                      {email}
                      <Status>{texts().roles[role]}</Status>
                    </p>
                    <p className={styles.muted}>
                      {[
                        describeExpiry(expiresAt),
                        users.find(user => user.id === createdBy)?.name,
                        ...teamIds.map(nameTeam),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </p>
                  </div>
                  <IconButton
                    icon={RetryIcon}
                    label={texts().renew(email)}
                    onClick={() => void renew(id, email)}
                  />
                  <IconButton
                    icon={TrashIcon}
                    label={texts().revoke(email)}
                    onClick={() => void revoke(id, email)}
                  />
                </Row>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function describeExpiry(time: string): string {
  const isOver = Date.parse(time) < Date.now()
  return isOver
    ? texts().expired(formatDateTime(new Date(time)))
    : texts().expires(formatDateTime(new Date(time)))
}
