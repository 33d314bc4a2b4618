/** The settings of a node from its JSON schema. Properties with a meaning of their own have editors made for them. */
import type { ComponentType } from 'react'
import type { Data } from '../model/definition.ts'
import type { Problem } from '../model/problems.ts'
import { useSession } from '../state/session.tsx'
import {
  BooleanInput,
  ChoiceInput,
  ChoicesInput,
  JsonInput,
  LinesInput,
  NumberInput,
  PairsInput,
  TemplateInput,
  TextInput,
  TimeInput,
} from './basic-fields.tsx'
import { AwaitedCases, BranchCases, MenuOptions, Weights } from './case-fields.tsx'
import { ExpressionField } from './condition-field.tsx'
import { ContentField } from './content-field.tsx'
import { DurationField } from './duration-field.tsx'
import { getReferenceKind, ReferenceField } from './reference-field.tsx'
import { type FieldProps, type JsonSchema, join, listProperties, resolve, withProperty } from './schema.ts'

interface SchemaFormProps {
  nodeType: string
  schema: JsonSchema
  data: Data
  path?: string
  problems: readonly Problem[]
  /** Properties that are edited elsewhere. */
  omit?: readonly string[]
  onChange: (data: Data, property: string) => void
}

export function SchemaForm({
  nodeType,
  schema,
  data,
  path = '',
  problems,
  omit = [],
  onChange,
}: SchemaFormProps) {
  const { editor } = useSession()
  return listProperties(schema)
    .filter(({ name }) => !omit.includes(name))
    .map(property => {
      const place = join(path, property.name)
      return (
        <div key={property.name} data-field={place}>
          <PropertyField
            nodeType={nodeType}
            data={data}
            name={property.name}
            path={place}
            schema={resolve(property.schema, editor.catalogue)}
            value={data[property.name]}
            isRequired={property.isRequired}
            problems={problems}
            onChange={value => onChange(withProperty(data, property.name, value), property.name)}
          />
        </div>
      )
    })
}

type Special = ComponentType<FieldProps & { nodeType: string; data: Data }>

/** Of a message on an inbox of its own; templates belong to an inbox. */
function MessageContent(props: FieldProps & { data: Data }) {
  const { inboxId } = props.data
  return <ContentField {...props} inboxId={typeof inboxId === 'string' ? inboxId : null} />
}

function Expression({ path, value, problems, onChange }: FieldProps) {
  const text = typeof value === 'string' ? value : ''
  return (
    <ExpressionField
      path={path}
      value={text}
      problems={problems}
      onChange={next => onChange(next === '' ? undefined : next)}
    />
  )
}

function Cooldown(props: FieldProps) {
  const { value, onChange, path } = props
  const inner = (value as { for?: unknown } | undefined)?.for
  const write = (next: unknown) => onChange(next === undefined ? undefined : { for: next })
  return <DurationField {...props} path={`${path}.for`} value={inner} isRequired={false} onChange={write} />
}

const specials: Record<string, Special> = {
  content: MessageContent,
  retryContent: MessageContent,
  defaultReply: MessageContent,
  timeout: DurationField,
  for: DurationField,
  debounce: DurationField,
  cooldown: Cooldown,
  exitWhen: AwaitedCases,
  options: MenuOptions,
  weights: Weights,
  headers: PairsInput,
  expression: Expression,
  text: TemplateInput,
  url: TemplateInput,
  key: TemplateInput,
  from: TimeInput,
  at: TimeInput,
  body: props => <JsonInput {...props} isText />,
  data: props => <JsonInput {...props} isText={false} />,
}

const byNode: Record<string, Record<string, Special>> = {
  // Of the three ways to wait, the one that is shown is chosen.
  delay: { for: props => <DurationField {...props} isRequired /> },
  branch: { cases: BranchCases },
  waitFor: { cases: AwaitedCases },
  timeWindow: { to: TimeInput },
  setVariable: { value: props => <JsonInput {...props} isText /> },
  setField: { value: TemplateInput },
  event: { key: TextInput },
}

/** Chooses the editor by the meaning of the property, otherwise by its type. */
function PropertyField(props: FieldProps & { nodeType: string; data: Data }) {
  const { nodeType, name, schema } = props
  const reference = getReferenceKind(name, nodeType)
  if (reference) return <ReferenceField {...props} kind={reference} />
  const Editor = byNode[nodeType]?.[name] ?? specials[name] ?? getPlainEditor(schema)
  return <Editor {...props} />
}

function getPlainEditor({ type, enum: values, items }: JsonSchema): Special {
  if (values) return ChoiceInput
  switch (type) {
    case 'string':
      return TextInput
    case 'integer':
    case 'number':
      return NumberInput
    case 'boolean':
      return BooleanInput
    case 'array':
      return items?.enum ? ChoicesInput : LinesInput
    default:
      return props => <JsonInput {...props} isText={type === undefined} />
  }
}
