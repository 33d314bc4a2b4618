/** Invites a person with a role and teams. The link is shown afterwards. */
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { Checkbox, Select, TextField } from '../../ui/controls/field.tsx'
import { FormDialog } from '../common/form.tsx'
import { findViolation, useIntent } from '../common/tasks.ts'
import styles from '../settings.module.css'
import type { Team } from './people.ts'
import { listAssignable, type Role } from './rights.ts'
import { texts } from './texts.ts'

interface InviteDialogProps {
  teams: readonly Team[]
  onInvited: (email: string, token: string) => void
  onClose: () => void
}

export function InviteDialog({ teams, onInvited, onClose }: InviteDialogProps) {
  const intent = useIntent()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('agent')
  const [teamIds, setTeamIds] = useState<readonly string[]>([])
  const submit = async () => {
    const body = { email: email.trim(), role, teamIds: [...teamIds] }
    const { token } = await call(api.POST('/users/invitations', { body, params: intent(body) }))
    onInvited(body.email, token)
  }
  return (
    <FormDialog
      title={texts().inviteTitle}
      submitLabel={texts().invite}
      fields={['email']}
      explain={{ auth_email_taken: texts().emailTaken, auth_grant_exceeds_caller: texts().grantExceeds }}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <>
          <TextField
            label={texts().email}
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            value={email}
            error={findViolation(problem, 'email')}
            onChange={event => setEmail(event.target.value)}
          />
          <Select
            label={texts().role}
            hint={texts().roleHints[role]}
            value={role}
            onChange={event => setRole(event.target.value as Role)}
          >
            {listAssignable().map(item => (
              <option key={item} value={item}>
                {texts().roles[item]}
              </option>
            ))}
          </Select>
          {teams.length > 0 && (
            <fieldset className={styles.choices}>
              <legend>{texts().teams}</legend>
              {teams.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={teamIds.includes(id)}
                  onChange={({ target }) =>
                    setTeamIds(all => (target.checked ? [...all, id] : all.filter(item => item !== id)))
                  }
                />
              ))}
            </fieldset>
          )}
        </>
      )}
    </FormDialog>
  )
}
