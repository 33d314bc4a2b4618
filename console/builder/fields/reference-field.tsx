/** Chooses resources of the workspace by name: a tag, a field, an inbox, a team, a node … */

import { getSignedIn } from '../../api/session.ts'
import { toTitle } from '../../app/field-title.ts'
import { useStore } from '../../app/store.ts'
import { useFields } from '../../segments/filter/references.ts'
import { Checkbox, Select } from '../../ui/controls/field.tsx'
import { describeNode, type Named, useNamed } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode } from '../texts.ts'
import styles from './fields.module.css'
import { type FieldProps, findMessage } from './schema.ts'
import { fieldTexts, labelProperty } from './texts.ts'

const kinds = {
  tagId: 'tags',
  tagIds: 'tags',
  fieldId: 'fields',
  field: 'dateFields',
  inboxId: 'inboxes',
  inboxIds: 'inboxes',
  userId: 'users',
  teamId: 'teams',
  segmentId: 'segments',
  journeyId: 'journeys',
  campaignId: 'campaigns',
} as const
type Kind = (typeof kinds)[keyof typeof kinds] | 'nodes'

/** Returns the kind of resource that the property names. */
export function getReferenceKind(name: string, nodeType: string): Kind | undefined {
  if (nodeType === 'jump' && name === 'to') return 'nodes'
  return Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : undefined
}

const toNamed = (items: Iterable<{ id: string; name: string | null }>): Named[] =>
  [...items].map(({ id, name }) => ({ id, name: name ?? id }))

function useOptions(kind: Kind): readonly Named[] {
  const { editor } = useSession()
  const { present } = useStore(editor.history)
  const fields = useFields()
  const listed = useNamed(kind === 'segments' || kind === 'campaigns' ? kind : 'journeys')
  const { tags, inboxes, users, teams } = getSignedIn()
  switch (kind) {
    case 'fields':
    case 'dateFields':
      return fields
        .filter(({ type }) => kind === 'fields' || type === 'date')
        .map(({ id, name }) => ({ id, name: toTitle(name) }))
    case 'nodes':
      return present.nodes
        .filter(({ type }) => type !== 'start')
        .map(node => ({ id: node.id, name: `${nameNode(node.type)} ${describeNode(node)}`.trim() }))
    case 'tags':
      return toNamed(tags.values())
    case 'inboxes':
      return toNamed(inboxes.values())
    case 'users':
      return toNamed(users.values())
    case 'teams':
      return toNamed(teams.values())
    default:
      return listed
  }
}

export function ReferenceField({ kind, ...props }: FieldProps & { kind: Kind }) {
  const { name, path, schema, value, isRequired, problems, onChange } = props
  const options = useOptions(kind)
  if (schema.type === 'array') return <ReferencesField {...props} options={options} />
  const chosen = typeof value === 'string' ? value : ''
  const isKnown = chosen === '' || options.some(({ id }) => id === chosen)
  return (
    <Select
      label={labelProperty(name)}
      value={chosen}
      error={findMessage(problems, path)}
      onChange={event => onChange(event.target.value || (isRequired ? '' : undefined))}
    >
      <option value="">{isRequired ? fieldTexts().choose : fieldTexts().none}</option>
      {!isKnown && <option value={chosen}>{fieldTexts().deleted(chosen)}</option>}
      {options.map(({ id, name: label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </Select>
  )
}

function ReferencesField({
  name,
  path,
  value,
  problems,
  options,
  onChange,
}: FieldProps & { options: readonly Named[] }) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const unknown = chosen.filter(id => !options.some(option => option.id === id))
  const all = [...options, ...unknown.map(id => ({ id, name: fieldTexts().deleted(id) }))]
  const error = findMessage(problems, path, true)
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty(name)}</legend>
      {all.map(({ id, name: label }) => (
        <Checkbox
          key={id}
          label={label}
          checked={chosen.includes(id)}
          onChange={event => {
            const next = event.target.checked ? [...chosen, id] : chosen.filter(item => item !== id)
            onChange(next.length > 0 ? next : undefined)
          }}
        />
      ))}
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}
