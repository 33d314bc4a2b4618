/** Shows the first rows of the file, and lets the user change what each column becomes. */

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { toTitle } from '../../app/field-title.ts'
import { type Field, useFields } from '../../segments/filter/references.ts'
import { Button } from '../../ui/controls/button.tsx'
import field from '../../ui/controls/field.module.css'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import { describeRefusal } from '../../ui/layout/state-view.tsx'
import contacts from '../contacts.module.css'
import styles from './import.module.css'
import { texts } from './texts.ts'
import { startImport, type Wizard, wizard } from './wizard.ts'

const builtIn = ['name', 'phone', 'contactId', 'tags'] as const

/** Validates the mapping and returns the error text. */
function findProblem(mapping: readonly string[], fields: readonly Field[]): string | undefined {
  const used = mapping.filter(target => target !== 'skip')
  if (used.length === 0) return texts().nothingMapped
  const twice = used.find((target, index) => used.indexOf(target) !== index)
  return twice === undefined ? undefined : texts().duplicateTarget(nameTarget(twice, fields))
}

function nameTarget(target: string, fields: readonly Field[]): string {
  const [, kind, value] = /^(field|new):(.*)$/s.exec(target) ?? []
  if (kind === 'new') return texts().newField(value!)
  if (kind === 'field') return toTitle(fields.find(({ id }) => id === value)?.name ?? value!)
  return texts().targets[target as 'name']
}

export function MappingStep({ wizard: current }: { wizard: Wizard }) {
  const navigate = useNavigate()
  const fields = useFields()
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const { file, preview, mapping } = current
  const wrong = findProblem(mapping, fields)
  const start = async (dryRun: boolean) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const importId = await startImport(current, dryRun)
      void navigate({ to: '/contacts/import/$importId', params: { importId } })
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  const separator = texts().separators[preview.separator] ?? preview.separator
  return (
    <section ref={useKeptFocus<HTMLElement>()} className={contacts.form} aria-label={texts().preview}>
      <h2>{file.name}</h2>
      <p className={contacts.muted}>
        {texts().read(separator, preview.encoding)} · {texts().previewOf(preview.rows.length)}
      </p>
      <PreviewTable wizard={current} fields={fields} />
      {wrong && <p role="alert">{wrong}</p>}
      {problem && <p role="alert">{describeRefusal(problem)}</p>}
      <div className={contacts.line}>
        <Button look="primary" busy={isBusy} disabled={wrong !== undefined} onClick={() => void start(true)}>
          {texts().check}
        </Button>
        <Button disabled={isBusy || wrong !== undefined} onClick={() => void start(false)}>
          {texts().importWithoutCheck}
        </Button>
        <Button look="plain" onClick={() => wizard.set(undefined)}>
          {texts().otherFile}
        </Button>
        {isBusy && <span role="status">{texts().uploading}</span>}
      </div>
    </section>
  )
}

function PreviewTable({ wizard: current, fields }: { wizard: Wizard; fields: readonly Field[] }) {
  const { preview, mapping } = current
  const change = (index: number, target: string) =>
    wizard.set({ file: current.file, preview, mapping: mapping.with(index, target) })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={texts().columns}>
      <table>
        <thead>
          <tr>
            {preview.columns.map(({ header }, index) => {
              const name = header || texts().unnamedColumn(index + 1)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                <th key={index} scope="col">
                  {name}
                  <TargetSelect
                    header={name}
                    target={mapping[index]!}
                    fields={fields}
                    onChange={target => change(index, target)}
                  />
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TargetSelect({
  header,
  target,
  fields,
  onChange,
}: {
  header: string
  target: string
  fields: readonly Field[]
  onChange: (target: string) => void
}) {
  const created = target.startsWith('new:') ? target : `new:${header.slice(0, 100)}`
  const canCreate = hasScope('custom_field:create')
  return (
    <select
      className={field.input}
      aria-label={texts().becomes(header)}
      value={target}
      onChange={event => onChange(event.target.value)}
    >
      <option value="skip">{texts().targets.skip}</option>
      {builtIn.map(name => (
        <option key={name} value={name}>
          {texts().targets[name]}
        </option>
      ))}
      <optgroup label={texts().fields}>
        {fields.map(({ id, name }) => (
          <option key={id} value={`field:${id}`}>
            {toTitle(name)}
          </option>
        ))}
        {(canCreate || target === created) && (
          <option value={created}>{texts().newField(created.slice('new:'.length))}</option>
        )}
      </optgroup>
    </select>
  )
}
