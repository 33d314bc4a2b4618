/** The headers of a request, one row each. The value is a text with placeholders, or a secret of the workspace. */
import { useId, useState } from 'react'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { Select, TextField } from '../../../ui/controls/field.tsx'
import { CloseIcon, PlusIcon } from '../../../ui/controls/icons.tsx'
import { isEqual } from '../../model/merge.ts'
import styles from '../fields.module.css'
import { type FieldProps, findMessage } from '../schema.ts'
import { fieldTexts, labelProperty } from '../texts.ts'
import { type HeaderRow, isRepeated, parseSecret, toHeaders, toRows, writeSecret } from './header-value.ts'
import { SecretChoice } from './secret-choice.tsx'
import { httpTexts } from './texts.ts'

const commonNames = ['Authorization', 'Accept', 'Content-Type', 'X-API-Key']
const maxHeaders = 30

type HeaderRowsProps = Pick<FieldProps, 'path' | 'value' | 'problems' | 'onChange'>

export function HeaderRows({ path, value, problems, onChange }: HeaderRowsProps) {
  const [edited, setEdited] = useState<readonly HeaderRow[]>(() => toRows(value))
  const listId = useId()
  // The value may change elsewhere, by undo for example.
  const rows = isEqual(toHeaders(edited), toHeaders(toRows(value))) ? edited : toRows(value)
  const set = (next: readonly HeaderRow[]) => {
    setEdited(next)
    onChange(toHeaders(next))
  }
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty('headers')}</legend>
      <datalist id={listId}>
        {commonNames.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.map((row, position) => {
        const place = `${path}.${row.name}`
        const secret = parseSecret(row.value)
        const message = row.name === '' ? undefined : findMessage(problems, place)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is edited; all controls of the row are controlled
          <div key={position} className={styles.item} data-field={row.name === '' ? path : place}>
            <div className={styles.itemHead}>
              {httpTexts().header(position + 1)}
              <IconButton
                icon={CloseIcon}
                label={fieldTexts().removeItem(position + 1)}
                onClick={() => set(rows.toSpliced(position, 1))}
              />
            </div>
            <TextField
              label={fieldTexts().keyName}
              value={row.name}
              maxLength={100}
              list={listId}
              autoComplete="off"
              error={isRepeated(rows, position) ? httpTexts().repeated : secret ? undefined : message}
              onChange={event => set(rows.with(position, { ...row, name: event.target.value }))}
            />
            <HeaderValue
              value={row.value}
              error={secret ? message : undefined}
              onChange={text => set(rows.with(position, { ...row, value: text }))}
            />
          </div>
        )
      })}
      {rows.length < maxHeaders && (
        <Button look="plain" icon={PlusIcon} onClick={() => set([...rows, { name: '', value: '' }])}>
          {httpTexts().addHeader}
        </Button>
      )}
    </fieldset>
  )
}

interface HeaderValueProps {
  value: string
  /** The problem of the secret. */
  error: string | undefined
  onChange: (value: string) => void
}

function HeaderValue({ value, error, onChange }: HeaderValueProps) {
  const secret = parseSecret(value)
  const choose = (kind: string) =>
    onChange(kind === 'secret' ? writeSecret({ prefix: '', secret: '' }) : (secret?.prefix ?? ''))
  return (
    <>
      <Select
        label={httpTexts().valueKind}
        value={secret ? 'secret' : 'text'}
        onChange={event => choose(event.target.value)}
      >
        <option value="text">{httpTexts().valueKinds.text}</option>
        <option value="secret">{httpTexts().valueKinds.secret}</option>
      </Select>
      {secret ? (
        <>
          <TextField
            label={httpTexts().prefix}
            hint={httpTexts().prefixHint}
            value={secret.prefix}
            maxLength={200}
            autoComplete="off"
            onChange={event =>
              onChange(writeSecret({ ...secret, prefix: event.target.value.replace(/[{}]/g, '') }))
            }
          />
          <SecretChoice
            value={secret.secret}
            error={error}
            onChange={name => onChange(writeSecret({ ...secret, secret: name }))}
          />
        </>
      ) : (
        <TextField
          label={fieldTexts().keyValue}
          value={value}
          maxLength={4_000}
          autoComplete="off"
          onChange={event => onChange(event.target.value)}
        />
      )}
    </>
  )
}
