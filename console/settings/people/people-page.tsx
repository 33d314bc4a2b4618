/** Members with roles and teams, pending invitations, and teams. Everyone reads them; owners and admins change them. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PlusIcon } from '../../ui/controls/icons.tsx'
import { SecretDialog } from '../common/secret-dialog.tsx'
import { useScopes } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import { Section } from '../section.tsx'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { type OneTimeLink, toInvitationLink, type User } from './people.ts'
import { Teams } from './teams.tsx'
import { texts } from './texts.ts'

async function load() {
  const [{ users }, { teams }] = await Promise.all([call(api.GET('/users')), call(api.GET('/teams'))])
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  const isDisabled = ({ disabled }: User) => Number(disabled)
  return {
    users: users.toSorted((a, b) => isDisabled(a) - isDisabled(b) || byName(a, b)),
    teams: teams.toSorted(byName),
  }
}

export function Page() {
  const can = useScopes()
  const state = useLoaded(load, { kinds: ['user', 'team'] })
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<OneTimeLink>()
  const [invited, setInvited] = useState(0)
  const invite = can('user:invite') && (
    <Button look="primary" icon={PlusIcon} onClick={() => setInviting(true)}>
      {texts().invite}
    </Button>
  )
  const showInvitation = (email: string, token: string) => {
    setLink(toInvitationLink(email, token))
    setInvited(count => count + 1)
  }
  return (
    <SettingsFrame title={common().pages['/settings/people']} scope="user:list" actions={invite}>
      <Loaded state={state}>
        {({ users, teams }) => (
          <>
            <Section title={texts().members}>
              <ul>
                {users.map(user => (
                  <MemberRow
                    key={user.id}
                    user={user}
                    users={users}
                    teams={teams}
                    onChange={state.reload}
                    onLink={setLink}
                  />
                ))}
              </ul>
            </Section>
            {can('user:invite') && (
              <Invitations invited={invited} teams={teams} users={users} onLink={showInvitation} />
            )}
            <Teams teams={teams} users={users} onChange={state.reload} />
            {isInviting && (
              <InviteDialog teams={teams} onInvited={showInvitation} onClose={() => setInviting(false)} />
            )}
          </>
        )}
      </Loaded>
      {link && <SecretDialog {...link} onClose={() => setLink(undefined)} />}
    </SettingsFrame>
  )
}
