/** One member: role, teams, and what owners and admins can do. A disabled control says why. */
import { api, call } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { formatAgo, formatFull } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Select } from '../../ui/controls/field.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { Row } from '../common/row.tsx'
import { attempt, useScopes } from '../common/tasks.ts'
import styles from '../settings.module.css'
import { MemberMenu } from './member-menu.tsx'
import type { OneTimeLink, Team, User } from './people.ts'
import { explainLocked, listAssignable, type Role, roles } from './rights.ts'
import { texts } from './texts.ts'

interface MemberRowProps {
  user: User
  users: readonly User[]
  teams: readonly Team[]
  onChange: () => Promise<void>
  onLink: (link: OneTimeLink) => void
}

export function MemberRow({ user, users, teams, onChange, onLink }: MemberRowProps) {
  const can = useScopes()
  const { me } = getSignedIn()
  const locked = explainLocked(user, users)
  const canManage = can('user:update')
  const names = teams.filter(({ id }) => user.teamIds.includes(id)).map(({ name }) => name)
  return (
    <Row>
      <Avatar name={user.name} url={user.avatarUrl} />
      <div className={styles.texts}>
        <p className={styles.name}>
          {user.name}
          {user.id === me.id && <Status>{texts().you}</Status>}
          {user.disabled && <Status tone="warning">{texts().disabled}</Status>}
          {!canManage && <Status>{texts().roles[user.role]}</Status>}
        </p>
        <p className={styles.muted}>{user.email}</p>
        <p className={styles.muted}>{names.join(', ') || texts().noTeams}</p>
        {user.lastSeenAt !== undefined && (
          <p className={styles.muted}>
            {user.lastSeenAt ? (
              <time dateTime={user.lastSeenAt} title={formatFull(user.lastSeenAt)}>
                {texts().lastSeen(formatAgo(user.lastSeenAt))}
              </time>
            ) : (
              texts().neverSeen
            )}
          </p>
        )}
        {canManage && locked && (
          <p className={styles.muted} id={`why-${user.id}`}>
            {locked}
          </p>
        )}
      </div>
      {canManage && (
        <div className={styles.buttons}>
          <RoleSelect user={user} isLocked={locked !== undefined} onChange={onChange} />
          <MemberMenu user={user} teams={teams} locked={locked} onChange={onChange} onLink={onLink} />
        </div>
      )}
    </Row>
  )
}

function RoleSelect({
  user,
  isLocked,
  onChange,
}: {
  user: User
  isLocked: boolean
  onChange: () => Promise<void>
}) {
  const assignable = listAssignable()
  const change = (role: Role) =>
    attempt(
      async () => {
        await call(api.PUT('/users/{userId}/role', { params: { path: { userId: user.id } }, body: { role } }))
        await onChange()
      },
      texts().roleChanged(user.name, texts().roles[role]),
    )
  return (
    <Select
      label={texts().role}
      aria-label={texts().roleOf(user.name)}
      value={user.role}
      disabled={isLocked}
      onChange={event => void change(event.target.value as Role)}
    >
      {roles.map(role => (
        <option key={role} value={role} disabled={role !== user.role && !assignable.includes(role)}>
          {texts().roles[role]}
        </option>
      ))}
    </Select>
  )
}
