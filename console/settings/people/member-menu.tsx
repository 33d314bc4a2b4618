/** The actions of owners and admins on a member, besides the role. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { MoreIcon } from '../../ui/controls/icons.tsx'
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { attempt, newIntent } from '../common/tasks.ts'
import { MembershipPicker } from './membership-picker.tsx'
import { type OneTimeLink, type Team, toLink, type User } from './people.ts'
import { texts } from './texts.ts'

interface MemberMenuProps {
  user: User
  teams: readonly Team[]
  /** Why the member cannot be disabled. */
  locked: string | undefined
  onChange: () => Promise<void>
  onLink: (link: OneTimeLink) => void
}

type Open = 'teams' | 'disable' | 'factor'

async function setDisabled({ id }: User, disabled: boolean): Promise<void> {
  await call(api.PATCH('/users/{userId}', { params: { path: { userId: id } }, body: { disabled } }))
}

async function createResetLink({ id, name }: User): Promise<OneTimeLink> {
  const params = { path: { userId: id }, ...newIntent() }
  const { token } = await call(api.POST('/users/{userId}/password-reset', { params }))
  const { resetTitle, resetHint: hint, resetLabel: label } = texts()
  return { title: resetTitle(name), hint, label, secret: toLink('/reset-password', token) }
}

export function MemberMenu({ user, teams, locked, onChange, onLink }: MemberMenuProps) {
  const [open, setOpen] = useState<Open>()
  const isMe = user.id === getSignedIn().me.id
  const isOff = isMe || (locked !== undefined && user.role === 'owner')
  const hasPassword = user.provider === 'password' && !user.disabled
  const enable = async () => {
    await setDisabled(user, false)
    await onChange()
  }
  const disableOrEnable: MenuItem = user.disabled
    ? {
        id: 'enable',
        label: texts().enable,
        onSelect: () => void attempt(enable, texts().userEnabled(user.name)),
      }
    : { id: 'disable', label: texts().disable, danger: true, onSelect: () => setOpen('disable') }
  const items: MenuItem[] = [
    {
      id: 'teams',
      label: texts().changeTeams,
      disabled: teams.length === 0,
      onSelect: () => setOpen('teams'),
    },
    {
      id: 'reset',
      label: texts().resetPassword,
      disabled: isOff || !hasPassword,
      onSelect: () => void attempt(async () => onLink(await createResetLink(user))),
    },
    {
      id: 'factor',
      label: texts().removeFactor,
      disabled: isOff || !hasPassword,
      onSelect: () => setOpen('factor'),
    },
    { ...disableOrEnable, disabled: locked !== undefined },
  ]
  return (
    <>
      <Menu items={items} align="end" label={texts().actionsOf(user.name)}>
        <IconButton icon={MoreIcon} label={texts().actionsOf(user.name)} />
      </Menu>
      {open && (
        <MemberDialog
          open={open}
          user={user}
          teams={teams}
          onChange={onChange}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

interface MemberDialogProps extends Pick<MemberMenuProps, 'user' | 'teams' | 'onChange'> {
  open: Open
  onClose: () => void
}

function MemberDialog({ open, user, teams, onChange, onClose }: MemberDialogProps) {
  const params = { path: { userId: user.id } }
  if (open === 'teams')
    return (
      <MembershipPicker
        title={texts().teamsOf(user.name)}
        options={teams.map(({ id, name, memberIds }) => ({
          id,
          name,
          isMember: memberIds.includes(user.id),
          teamId: id,
          userId: user.id,
        }))}
        onChange={onChange}
        onClose={onClose}
      />
    )
  if (open === 'disable')
    return (
      <ConfirmDialog
        title={texts().disableQuestion(user.name)}
        effects={texts().disableEffects}
        confirmLabel={texts().disable}
        done={texts().userDisabled(user.name)}
        onConfirm={async () => {
          await setDisabled(user, true)
          await onChange()
        }}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={texts().removeFactorQuestion(user.name)}
      effects={[texts().removeFactorHint]}
      confirmLabel={texts().removeFactor}
      done={texts().factorRemoved(user.name)}
      onConfirm={() => call(api.DELETE('/users/{userId}/second-factor', { params }))}
      onClose={onClose}
    />
  )
}
