/** The users who see a saved reply. Agents share with teams that they are members of; owners and admins with everyone. */
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import type { SavedReply } from '../../inbox/state/saved-replies.ts'
import { Checkbox, Select } from '../../ui/controls/field.tsx'
import styles from '../settings.module.css'
import { texts } from '../texts.ts'

type Sharing = Pick<SavedReply, 'scope' | 'teamIds'>

interface SharingFieldsProps {
  values: Sharing
  error: string | undefined
  onChange: (values: Partial<Sharing>) => void
}

export function SharingFields({ values: { scope, teamIds }, error, onChange }: SharingFieldsProps) {
  const { me, teams } = getSignedIn()
  const isManager = me.role !== 'agent'
  const offered = [...teams.values()].filter(({ id }) => isManager || me.teamIds.includes(id))
  const toggle = (id: string, isOn: boolean) =>
    onChange({ teamIds: isOn ? [...teamIds, id] : teamIds.filter(item => item !== id) })
  return (
    <>
      <Select
        label={texts().sharedWith}
        value={scope}
        error={error}
        onChange={event => onChange({ scope: event.target.value as Sharing['scope'] })}
      >
        <option value="me">{texts().onlyMe}</option>
        {offered.length > 0 && <option value="team">{t.teams}</option>}
        {isManager && <option value="workspace">{texts().everyone}</option>}
      </Select>
      {scope === 'team' && (
        <fieldset className={styles.choices}>
          <legend>{t.teams}</legend>
          {offered.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={teamIds.includes(id)}
              onChange={event => toggle(id, event.target.checked)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
