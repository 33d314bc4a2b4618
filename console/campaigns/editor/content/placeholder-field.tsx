/** A field for text with values of the recipient, which are offered after {{. */
import { useId, useRef } from 'react'
import { getSignedIn } from '../../../api/session.ts'
import { SuggestionList } from '../../../inbox/composer/suggestions/suggestion-list.tsx'
import { type SuggestionSource, useSuggestions } from '../../../inbox/composer/suggestions/suggestions.ts'
import { TextArea } from '../../../ui/controls/field.tsx'
import styles from '../../campaigns.module.css'
import { texts } from '../texts.ts'

/** A name with a dot, a bar or a space is written in brackets. */
function toPath(field: string): string {
  return /^[\p{L}\d_-]+$/u.test(field)
    ? `contact.customFields.${field}`
    : `contact.customFields[${JSON.stringify(field)}]`
}

interface Value {
  path: string
  /** Of a custom field. */
  name?: string
}

function listValues(): Value[] {
  const fields = getSignedIn().customFields.filter(
    ({ predefined, entityType }) => !predefined && entityType === 'contact',
  )
  const own = ['contact.name', 'contact.email', 'contact.phone'].map(path => ({ path }))
  return [...own, ...fields.map(({ name }) => ({ path: toPath(name), name }))]
}

const source: SuggestionSource = {
  label: () => texts().values,
  opener: '{{',
  pattern: /\{\{([\p{L}\d._-]{0,50})$/u,
  list: typed =>
    listValues()
      .filter(({ path }) => path.toLowerCase().includes(typed.toLowerCase()))
      .slice(0, 8)
      .map(({ path, name = path }) => ({
        id: path,
        label: name,
        ...(name === path ? {} : { hint: path }),
        insert: `{{${path}}}`,
      })),
}
const sources = [source]

interface PlaceholderFieldProps {
  label: string
  value: string
  rows?: number
  maxLength: number
  hint?: string
  error?: string | undefined
  onChange: (value: string) => void
}

export function PlaceholderField({
  label,
  value,
  rows = 1,
  maxLength,
  hint,
  error,
  onChange,
}: PlaceholderFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const suggestions = useSuggestions(field, onChange, sources)
  const isListed = suggestions.items.length > 0
  return (
    <div>
      <TextArea
        ref={field}
        label={label}
        rows={rows}
        maxLength={maxLength}
        value={value}
        hint={hint}
        error={error}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={isListed ? `${listId}-${suggestions.selected}` : undefined}
        onChange={event => {
          onChange(event.target.value)
          suggestions.onCaret()
        }}
        onSelect={suggestions.onCaret}
        onBlur={suggestions.close}
        onKeyDown={event => {
          if (suggestions.onKeyDown(event)) event.preventDefault()
        }}
      />
      {isListed && (
        <div className={styles.options}>
          <SuggestionList id={listId} suggestions={suggestions} />
        </div>
      )}
    </div>
  )
}
