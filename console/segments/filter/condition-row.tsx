/** One condition: field, operator and a value of the field's type. */
import { Link } from '@tanstack/react-router'
import { toTitle } from '../../app/field-title.ts'
import { t } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import field from '../../ui/controls/field.module.css'
import { CloseIcon } from '../../ui/controls/icons.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import { ConditionValue } from './condition-value.tsx'
import {
  builtInFields,
  type Condition,
  createCondition,
  type FieldKey,
  type FixedCondition,
  isFixed,
  listOperators,
  type Operator,
  toFieldKey,
  toOperator,
  withOperator,
} from './conditions.ts'
import styles from './filter.module.css'
import type { ReferenceLists } from './references.ts'
import { filterTexts } from './texts.ts'

interface ConditionRowProps {
  condition: Condition
  /** Counted from 1 within its group. */
  number: number
  lists: ReferenceLists
  onChange: (condition: Condition) => void
  onRemove: () => void
}

export function ConditionRow({ condition, number, lists, onChange, onRemove }: ConditionRowProps) {
  const texts = filterTexts()
  const operators = listOperators(condition)
  return (
    <div role="group" aria-label={texts.condition(number)} className={classNames(styles.line, styles.row)}>
      {isFixed(condition) ? (
        <FixedText condition={condition} />
      ) : (
        <FieldSelect condition={condition} lists={lists} onChange={onChange} />
      )}
      {operators.length > 0 && (
        <select
          className={classNames(field.input, styles.operator)}
          aria-label={texts.operator}
          value={toOperator(condition)}
          onChange={event => onChange(withOperator(condition, event.target.value as Operator))}
        >
          {operators.map(operator => (
            <option key={operator} value={operator}>
              {texts.operators[operator]}
            </option>
          ))}
        </select>
      )}
      <ConditionValue condition={condition} lists={lists} onChange={onChange} />
      <IconButton
        icon={CloseIcon}
        label={texts.removeCondition(number)}
        className={styles.remove}
        onClick={onRemove}
      />
      {condition.type === 'hasAnyTag' && condition.tagIds.length === 0 && (
        <p className={styles.warning}>{texts.noTagLeft}</p>
      )}
    </div>
  )
}

function FixedText({ condition }: { condition: FixedCondition }) {
  const texts = filterTexts()
  if (condition.type === 'never')
    return <span className={styles.warning}>{texts.neverText(condition.reason)}</span>
  return (
    <Link to="/contacts/import/$importId" params={{ importId: condition.importId }}>
      {texts.createdByImport}
    </Link>
  )
}

interface FieldSelectProps extends Pick<ConditionRowProps, 'lists' | 'onChange'> {
  condition: Exclude<Condition, FixedCondition>
}

function FieldSelect({ condition, lists: { fields }, onChange }: FieldSelectProps) {
  const texts = filterTexts()
  const key = toFieldKey(condition)
  const isKnown = !key.startsWith('field:') || fields.some(({ id }) => key === `field:${id}`)
  const choose = (next: string) => {
    const type = fields.find(({ id }) => next === `field:${id}`)?.type
    onChange(createCondition(next as FieldKey, type))
  }
  return (
    <select
      className={classNames(field.input, styles.field)}
      aria-label={texts.field}
      value={key}
      onChange={event => choose(event.target.value)}
    >
      <optgroup label={t.contact}>
        {builtInFields.map(name => (
          <option key={name} value={name}>
            {texts.fields[name]}
          </option>
        ))}
      </optgroup>
      <optgroup label={texts.customFields}>
        {fields.map(({ id, name }) => (
          <option key={id} value={`field:${id}`}>
            {toTitle(name)}
          </option>
        ))}
        {!isKnown && <option value={key}>{texts.deletedField}</option>}
      </optgroup>
    </select>
  )
}
