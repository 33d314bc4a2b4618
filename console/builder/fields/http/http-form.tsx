/** The settings of an HTTP request. Properties that the form does not know keep their values and have generated fields. */
import { PlaceholderField } from '../../../campaigns/editor/content/placeholder-field.tsx'
import { Select, TextField } from '../../../ui/controls/field.tsx'
import type { Data } from '../../model/definition.ts'
import type { Problem } from '../../model/problems.ts'
import { nameOutput } from '../../texts.ts'
import { JsonInput } from '../basic-fields.tsx'
import styles from '../fields.module.css'
import { findMessage, withProperty } from '../schema.ts'
import { labelProperty } from '../texts.ts'
import { HeaderRows } from './header-rows.tsx'
import { httpTexts } from './texts.ts'

export const httpProperties = ['method', 'url', 'headers', 'body', 'saveAs', 'timeoutSeconds'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const outputs = ['ok', 'error', 'timeout'] as const
const defaultSeconds = 10

interface HttpFormProps {
  data: Data
  problems: readonly Problem[]
  onChange: (data: Data, property: string) => void
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

export function HttpForm({ data, problems, onChange }: HttpFormProps) {
  const { method, url, headers, body, saveAs, timeoutSeconds } = data
  const set = (name: (typeof httpProperties)[number], value: unknown) =>
    onChange(withProperty(data, name, value), name)
  const at = (name: string) => findMessage(problems, name)
  const canHaveBody = method !== 'GET' || body !== undefined
  return (
    <>
      <div data-field="method">
        <Select
          label={labelProperty('method')}
          value={toText(method)}
          error={at('method')}
          onChange={event => set('method', event.target.value)}
        >
          {!methods.includes(toText(method)) && <option value={toText(method)}>{toText(method)}</option>}
          {methods.map(name => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </div>
      <div data-field="url">
        <PlaceholderField
          label={labelProperty('url')}
          value={toText(url)}
          maxLength={2_000}
          hint={httpTexts().urlHint}
          error={at('url')}
          onChange={text => set('url', text.replace(/\s*\n\s*/g, ''))}
        />
      </div>
      <div data-field="headers">
        <HeaderRows
          path="headers"
          value={headers}
          problems={problems}
          onChange={next => set('headers', next)}
        />
      </div>
      {canHaveBody && (
        <div data-field="body" className={styles.group}>
          <BodyField value={body} problems={problems} onChange={next => set('body', next)} />
        </div>
      )}
      <div data-field="timeoutSeconds">
        <TextField
          label={labelProperty('timeoutSeconds')}
          hint={httpTexts().timeoutHint(defaultSeconds)}
          type="number"
          min={1}
          max={30}
          value={typeof timeoutSeconds === 'number' ? timeoutSeconds : ''}
          error={at('timeoutSeconds')}
          onChange={event =>
            set('timeoutSeconds', event.target.value === '' ? undefined : Number(event.target.value))
          }
        />
      </div>
      <div data-field="saveAs">
        <TextField
          label={labelProperty('saveAs')}
          hint={httpTexts().saveAsHint(toText(saveAs) || 'response')}
          value={toText(saveAs)}
          maxLength={64}
          autoComplete="off"
          error={at('saveAs')}
          onChange={event => set('saveAs', event.target.value === '' ? undefined : event.target.value)}
        />
      </div>
      <dl className={styles.outputs} aria-label={httpTexts().outputs}>
        {outputs.map(name => (
          <div key={name}>
            <dt>{nameOutput(name)}</dt>
            <dd>{httpTexts().outputMeanings[name]}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

type BodyKind = 'none' | 'json' | 'text'

interface BodyFieldProps {
  value: unknown
  problems: readonly Problem[]
  onChange: (value: unknown) => void
}

const getBodyKind = (value: unknown): BodyKind =>
  value === undefined ? 'none' : typeof value === 'string' ? 'text' : 'json'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Returns the body in another kind; a text that is not JSON is replaced, which can be undone. */
function convertBody(value: unknown, kind: BodyKind): unknown {
  if (kind === 'none') return undefined
  if (kind === 'json') return typeof value === 'string' ? parseJson(value) : {}
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function BodyField({ value, problems, onChange }: BodyFieldProps) {
  const kind = getBodyKind(value)
  const error = findMessage(problems, 'body', true)
  return (
    <>
      <Select
        label={httpTexts().bodyKind}
        value={kind}
        error={kind === 'none' ? error : undefined}
        onChange={event => onChange(convertBody(value, event.target.value as BodyKind))}
      >
        {(['none', 'json', 'text'] as const).map(item => (
          <option key={item} value={item}>
            {httpTexts().bodyKinds[item]}
          </option>
        ))}
      </Select>
      {kind === 'json' && (
        <JsonInput
          name="body"
          path="body"
          schema={{}}
          value={value}
          isRequired
          problems={problems}
          isText={false}
          onChange={next => onChange(next ?? {})}
        />
      )}
      {kind === 'text' && (
        <PlaceholderField
          label={labelProperty('body')}
          rows={4}
          value={toText(value)}
          maxLength={20_000}
          hint={httpTexts().textHint}
          error={error}
          onChange={onChange}
        />
      )}
    </>
  )
}
