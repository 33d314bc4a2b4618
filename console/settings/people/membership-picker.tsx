/** Adds members to teams and removes them: each choice is saved immediately. */
import { api, call } from '../../api/client.ts'
import { Picker } from '../../ui/pickers/picker.tsx'
import { attempt } from '../common/tasks.ts'

interface Membership {
  id: string
  name: string
  isMember: boolean
  teamId: string
  userId: string
}

interface MembershipPickerProps {
  title: string
  options: readonly Membership[]
  onChange: () => Promise<void>
  onClose: () => void
}

export function MembershipPicker({ title, options, onChange, onClose }: MembershipPickerProps) {
  const toggle = ({ isMember, teamId, userId }: Membership) =>
    attempt(async () => {
      const params = { path: { id: teamId, userId } }
      await (isMember
        ? call(api.DELETE('/teams/{id}/members/{userId}', { params }))
        : call(api.PUT('/teams/{id}/members/{userId}', { params })))
      await onChange()
    })
  return (
    <Picker
      title={title}
      isMultiple
      choices={options.map(option => ({
        id: option.id,
        label: option.name,
        checked: option.isMember,
        onSelect: () => void toggle(option),
      }))}
      onClose={onClose}
    />
  )
}
