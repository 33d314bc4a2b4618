import { useState } from 'react'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { FormDialog } from '../common/form.tsx'
import { findViolation, useIntent } from '../common/tasks.ts'
import { texts as common } from '../texts.ts'
import { type Draft, type Item, type KindName, kinds } from './kinds.ts'
import { texts } from './texts.ts'

interface ItemDialogProps {
  kind: KindName
  item: Item | undefined
  onSaved: () => Promise<void>
  onClose: () => void
}

const firstColor = '#2b59c3'

/** Creates or renames a label, a tag or a custom field. */
export function ItemDialog({ kind: kindName, item, onSaved, onClose }: ItemDialogProps) {
  const kind = kinds[kindName]
  const intent = useIntent()
  const [draft, setDraft] = useState<Draft>({
    name: item?.name ?? '',
    ...(kindName === 'field' ? { type: item?.type ?? 'text' } : { color: item?.color ?? firstColor }),
  })
  const set = (changed: Partial<Draft>) => setDraft(before => ({ ...before, ...changed }))
  const submit = async () => {
    if (item) await kind.update(item.id, draft)
    else await kind.create(draft, intent(draft))
    await onSaved()
  }
  const taken = texts().nameTaken
  return (
    <FormDialog
      title={item ? common().editThing(item.name) : texts().kinds[kindName].create}
      fields={['name', 'color', 'type']}
      explain={{ label_name_taken: taken, tag_name_taken: taken, custom_field_name_taken: taken }}
      onSubmit={submit}
      onClose={onClose}
    >
      {problem => (
        <>
          <TextField
            label={common().name}
            required
            maxLength={100}
            value={draft.name}
            error={findViolation(problem, 'name')}
            onChange={event => set({ name: event.target.value })}
          />
          {draft.color && (
            <TextField
              label={texts().color}
              type="color"
              value={draft.color}
              error={findViolation(problem, 'color')}
              onChange={event => set({ color: event.target.value })}
            />
          )}
          {draft.type && !item && (
            <Select
              label={texts().type}
              hint={texts().typeHint}
              value={draft.type}
              onChange={event => set({ type: event.target.value as 'text' | 'date' })}
            >
              <option value="text">{texts().types.text}</option>
              <option value="date">{texts().types.date}</option>
            </Select>
          )}
        </>
      )}
    </FormDialog>
  )
}
