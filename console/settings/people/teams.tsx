/** Teams and their members. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { PencilIcon, PlusIcon, TeamIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { FormDialog } from '../common/form.tsx'
import { Row } from '../common/row.tsx'
import { findViolation, useIntent, useScopes } from '../common/tasks.ts'
import { Section } from '../section.tsx'
import styles from '../settings.module.css'
import { texts as common } from '../texts.ts'
import { MembershipPicker } from './membership-picker.tsx'
import type { Team, User } from './people.ts'
import { texts } from './texts.ts'

interface TeamsProps {
  teams: readonly Team[]
  users: readonly User[]
  onChange: () => Promise<void>
}

type Open = { kind: 'new' } | { kind: 'edit' | 'delete' | 'members'; id: string }

export function Teams({ teams, users, onChange }: TeamsProps) {
  const can = useScopes()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const team = open && 'id' in open ? teams.find(({ id }) => id === open.id) : undefined
  const nameOf = (id: string) => users.find(user => user.id === id)?.name ?? id
  return (
    <Section title={texts().teams}>
      {teams.length === 0 && <p className={styles.muted}>{texts().noTeamsYet}</p>}
      <ul>
        {teams.map(({ id, name, memberIds }) => (
          <Row key={id}>
            <div className={styles.texts}>
              <p className={styles.name}>{name}</p>
              <p className={styles.muted}>{memberIds.map(nameOf).join(', ') || texts().noMembers}</p>
            </div>
            {can('team:update') && (
              <>
                <IconButton
                  icon={TeamIcon}
                  label={texts().membersOf(name)}
                  onClick={() => setOpen({ kind: 'members', id })}
                />
                <IconButton
                  icon={PencilIcon}
                  label={common().editThing(name)}
                  onClick={() => setOpen({ kind: 'edit', id })}
                />
              </>
            )}
            {can('team:delete') && (
              <IconButton
                icon={TrashIcon}
                label={common().deleteThing(name)}
                onClick={() => setOpen({ kind: 'delete', id })}
              />
            )}
          </Row>
        ))}
      </ul>
      {can('team:create') && (
        <div>
          <Button icon={PlusIcon} onClick={() => setOpen({ kind: 'new' })}>
            {texts().newTeam}
          </Button>
        </div>
      )}
      {(open?.kind === 'new' || (open?.kind === 'edit' && team)) && (
        <TeamDialog team={team} onChange={onChange} onClose={close} />
      )}
      {open?.kind === 'members' && team && (
        <MembershipPicker
          title={texts().membersOf(team.name)}
          options={users
            .filter(({ disabled }) => !disabled)
            .map(({ id, name }) => ({
              id,
              name,
              isMember: team.memberIds.includes(id),
              teamId: team.id,
              userId: id,
            }))}
          onChange={onChange}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && team && (
        <ConfirmDialog
          title={common().deleteThingQuestion(team.name)}
          effects={[texts().deleteTeamHint]}
          confirmLabel={common().remove}
          done={common().deleted(team.name)}
          explain={{ team_in_use: texts().teamInUse }}
          onConfirm={async () => {
            await call(api.DELETE('/teams/{id}', { params: { path: { id: team.id } } }))
            await onChange()
          }}
          onClose={close}
        />
      )}
    </Section>
  )
}

interface TeamDialogProps {
  team: Team | undefined
  onChange: () => Promise<void>
  onClose: () => void
}

function TeamDialog({ team, onChange, onClose }: TeamDialogProps) {
  const intent = useIntent()
  const [name, setName] = useState(team?.name ?? '')
  const submit = async () => {
    const body = { name }
    if (team) await call(api.PATCH('/teams/{id}', { params: { path: { id: team.id } }, body }))
    else await call(api.POST('/teams', { body, params: intent(body) }))
    await onChange()
  }
  return (
    <FormDialog
      title={team ? common().editThing(team.name) : texts().newTeam}
      fields={['name']}
      explain={{ team_name_taken: texts().teamNameTaken }}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <TextField
          label={common().name}
          required
          maxLength={200}
          value={name}
          error={findViolation(problem, 'name')}
          onChange={event => setName(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
