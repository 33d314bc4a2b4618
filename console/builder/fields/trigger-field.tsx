/** The trigger of a workflow: its kind, the properties of that kind, and the contacts that may enter. */
import type { Filter } from '../../segments/filter/conditions.ts'
import { Select } from '../../ui/controls/field.tsx'
import type { Data } from '../model/definition.ts'
import { useSession } from '../state/session.tsx'
import { texts } from '../texts.ts'
import { FilterField } from './condition-field.tsx'
import styles from './fields.module.css'
import { type FieldProps, findMessage, type JsonSchema } from './schema.ts'
import { SchemaForm } from './schema-form.tsx'
import { fieldTexts } from './texts.ts'

/** Required lists of the kind are empty at first. */
function createConfig(type: string, { properties = {}, required = [] }: JsonSchema): Data {
  const lists = required.filter(name => properties[name]?.type === 'array').map(name => [name, []])
  const strings = required
    .filter(name => name !== 'type' && properties[name]?.type === 'string')
    .map(name => [name, ''])
  return { type, ...Object.fromEntries([...lists, ...strings]) }
}

const path = 'triggerConfig'

export function TriggerField({
  value,
  problems,
  onChange,
}: Pick<FieldProps, 'value' | 'problems' | 'onChange'>) {
  const { editor } = useSession()
  const config = (value as Data | undefined) ?? {}
  const type = typeof config.type === 'string' ? config.type : ''
  const triggers = editor.catalogue.triggers.filter(({ kinds }) => kinds.includes(editor.kind))
  const trigger = triggers.find(item => item.type === type)
  const choose = (next: string) => {
    const schema = triggers.find(item => item.type === next)?.config as JsonSchema | undefined
    const conditions = config.conditions === undefined ? {} : { conditions: config.conditions }
    onChange(schema ? { ...createConfig(next, schema), ...conditions } : undefined)
  }
  const setConditions = (filter: Filter) =>
    onChange({ ...config, conditions: filter.conditions.length > 0 ? filter : {} })
  return (
    <fieldset className={styles.group}>
      <legend>{fieldTexts().trigger}</legend>
      <Select
        label={fieldTexts().trigger}
        value={type}
        error={findMessage(problems, path) ?? findMessage(problems, `${path}.type`)}
        onChange={event => choose(event.target.value)}
      >
        {(editor.kind === 'chatbot' || type === '') && (
          <option value="">
            {editor.kind === 'chatbot' ? fieldTexts().everyMessage : fieldTexts().choose}
          </option>
        )}
        {triggers.map(item => (
          <option key={item.type} value={item.type}>
            {texts().triggers[item.type] ?? item.summary}
          </option>
        ))}
      </Select>
      {trigger && (
        <SchemaForm
          nodeType={type}
          schema={trigger.config as JsonSchema}
          data={config}
          path={path}
          problems={problems}
          omit={['type', 'conditions']}
          onChange={onChange}
        />
      )}
      {trigger && (
        <FilterField
          name="conditions"
          path={`${path}.conditions`}
          value={config.conditions}
          problems={problems}
          onChange={setConditions}
        />
      )}
    </fieldset>
  )
}
