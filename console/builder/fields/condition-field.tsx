/** Edits a condition: a contact filter, or a CEL expression that is validated while the user types. */
import { emptyFilter, type Filter, toRows } from '../../segments/filter/conditions.ts'
import { FilterEditor } from '../../segments/filter/filter-editor.tsx'
import { Select, TextArea } from '../../ui/controls/field.tsx'
import type { Problem } from '../model/problems.ts'
import styles from './fields.module.css'
import { findMessage } from './schema.ts'
import { fieldTexts, labelProperty } from './texts.ts'

interface ExpressionFieldProps {
  path: string
  value: string
  problems: readonly Problem[]
  onChange: (value: string) => void
}

export function ExpressionField({ path, value, problems, onChange }: ExpressionFieldProps) {
  return (
    <div data-field={path}>
      <TextArea
        label={labelProperty('expression')}
        rows={3}
        className={styles.code}
        spellCheck={false}
        value={value}
        hint={fieldTexts().expressionHint}
        error={findMessage(problems, path)}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}

interface FilterFieldProps {
  name: string
  path: string
  value: unknown
  problems: readonly Problem[]
  onChange: (filter: Filter) => void
}

const toFilter = (value: unknown): Filter => {
  const filter = value as Filter | undefined
  return Array.isArray(filter?.conditions) ? toRows(filter) : emptyFilter
}

export function FilterField({ name, path, value, problems, onChange }: FilterFieldProps) {
  const filter = toFilter(value)
  const error = findMessage(problems, path, true)
  return (
    <fieldset className={styles.group} data-field={path}>
      <legend>{labelProperty(name)}</legend>
      {filter.conditions.length === 0 && <p className={styles.muted}>{fieldTexts().filterAll}</p>}
      <FilterEditor filter={filter} onChange={onChange} />
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}

interface ConditionFieldProps {
  name: string
  path: string
  value: unknown
  problems: readonly Problem[]
  onChange: (condition: string | Filter) => void
}

/** A text is an expression, an object is a filter. */
export function ConditionField({ name, path, value, problems, onChange }: ConditionFieldProps) {
  const isExpression = typeof value === 'string'
  return (
    <>
      <Select
        label={labelProperty('condition')}
        value={isExpression ? 'expression' : 'filter'}
        onChange={event => onChange(event.target.value === 'expression' ? '' : emptyFilter)}
      >
        <option value="filter">{fieldTexts().conditionKinds.filter}</option>
        <option value="expression">{fieldTexts().conditionKinds.expression}</option>
      </Select>
      {isExpression ? (
        <ExpressionField path={path} value={value} problems={problems} onChange={onChange} />
      ) : (
        <FilterField name={name} path={path} value={value} problems={problems} onChange={onChange} />
      )}
    </>
  )
}
