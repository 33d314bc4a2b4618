/** Chooses scopes in groups by resource, each with its description and the number of its operations. */
import { api, call, type Schemas } from '../../api/client.ts'
import { Checkbox, Select } from '../../ui/controls/field.tsx'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { texts } from './texts.ts'

type Scope = Schemas['Scope']

interface ScopeTreeProps {
  role: 'admin' | 'agent'
  /** Null: all scopes of the role. */
  value: string[] | null
  onChange: (value: string[] | null) => void
}

export function ScopeTree({ role, value, onChange }: ScopeTreeProps) {
  const state = useLoaded(async () => (await call(api.GET('/scopes'))).scopes)
  return (
    <>
      <Select
        label={texts().access}
        value={value ? 'chosen' : 'all'}
        error={value?.length === 0 ? texts().chooseOne : undefined}
        onChange={event => onChange(event.target.value === 'chosen' ? [] : null)}
      >
        <option value="all">{texts().allScopes}</option>
        <option value="chosen">{texts().chosenScopes}</option>
      </Select>
      {value && (
        <Loaded state={state}>
          {scopes =>
            [...groupScopes(scopes.filter(({ roles }) => roles.includes(role)))].map(([name, group]) => (
              <ScopeGroup key={name} name={name} group={group} value={value} onChange={onChange} />
            ))
          }
        </Loaded>
      )}
    </>
  )
}

/** Groups scopes by the resource before the colon. */
function groupScopes(scopes: readonly Scope[]): Map<string, Scope[]> {
  const groups = new Map<string, Scope[]>()
  for (const scope of scopes) {
    const name = scope.name.split(':')[0]!
    groups.set(name, [...(groups.get(name) ?? []), scope])
  }
  return groups
}

interface ScopeGroupProps {
  name: string
  group: readonly Scope[]
  value: readonly string[]
  onChange: (value: string[]) => void
}

function ScopeGroup({ name, group, value, onChange }: ScopeGroupProps) {
  const names = group.map(scope => scope.name)
  const chosen = names.filter(item => value.includes(item))
  const others = value.filter(item => !names.includes(item))
  const toggle = (scope: string, isOn: boolean) =>
    onChange([...others, ...names.filter(item => (item === scope ? isOn : chosen.includes(item)))])
  return (
    <details open={chosen.length > 0 && chosen.length < names.length}>
      <summary>{texts().ofGroup(name.replaceAll('_', ' '), chosen.length, names.length)}</summary>
      <div className={styles.card}>
        <Checkbox
          label={texts().wholeGroup(name.replaceAll('_', ' '))}
          checked={chosen.length === names.length}
          onChange={event => onChange(event.target.checked ? [...others, ...names] : others)}
        />
        {group.map(({ name: scope, description, operations }) => (
          <div key={scope}>
            <Checkbox
              label={scope}
              checked={value.includes(scope)}
              onChange={event => toggle(scope, event.target.checked)}
            />
            <p className={styles.muted}>
              {description} ({texts().operations(operations.length)})
            </p>
          </div>
        ))}
      </div>
    </details>
  )
}
