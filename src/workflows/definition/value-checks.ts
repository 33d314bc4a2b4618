/**
 * Checks the values that texts and expressions of a definition read: contact fields, custom fields, variables that a node
 * on some path before has set, the types of operands and of conditions; and values without placeholders that nodes set
 * custom fields to. Pure.
 */
import { type TypedField, valueViolation } from '../../contacts/tags-and-fields/custom-field-values.ts'
import { suggestClosest } from '../../platform/closest.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { groupBy } from '../../platform/group-by.ts'
import { findPlaceholders } from '../../platform/interpolation/interpolation.ts'
import { listExpressionPaths } from '../expressions/expressions.ts'
import { findTypeError, valueProperties } from '../expressions/value-types.ts'
import { hasPlaceholders, listTexts } from '../nodes/node-fields.ts'
import type { AnyNodeType, LocatedExpression } from '../nodes/node-type.ts'
import type { WorkflowDefinition, WorkflowNode } from '../schemas.ts'

/** A node whose data is valid, with its path. */
export interface ValidNode {
  node: WorkflowNode
  at: string
  nodeType: AnyNodeType
}

/** Names of custom fields, and of variables by the nodes that can read them. */
interface KnownValues {
  customFields: readonly string[]
  /** All variables of the definition. */
  variables: readonly string[]
  isSetBefore: (nodeId: string, variable: string) => boolean
}

export function valueViolations(
  definition: WorkflowDefinition,
  nodes: readonly ValidNode[],
  customFields: readonly (TypedField & { name: string })[],
): Violation[] {
  const customFieldNames = customFields.map(({ name }) => name)
  const known = { customFields: customFieldNames, ...findVariables(definition, nodes) }
  return nodes.flatMap(({ node, at, nodeType }) => {
    const expressions = nodeType.expressions?.(node.data as never) ?? []
    const isExpression = new Set(expressions.map(({ path }) => `${at}.data.${path}`))
    const texts = listTexts(node.data, `${at}.data`).filter(({ path }) => !isExpression.has(path))
    return [
      ...texts.flatMap(({ text, path }) => placeholderViolations(text, path, node.id, known)),
      ...expressions.flatMap(expression =>
        expressionViolations(expression, `${at}.data.${expression.path}`, node.id, known),
      ),
      ...fieldValueViolations({ node, at, nodeType }, customFields),
    ]
  })
}

/** A value with placeholders is checked when it is set. */
function fieldValueViolations(
  { node, at, nodeType }: ValidNode,
  customFields: readonly TypedField[],
): Violation[] {
  const values = nodeType.fieldValues?.(node.data as never) ?? []
  return values.flatMap(({ fieldId, value, path }) => {
    const field = customFields.find(({ id }) => id === fieldId)
    if (field === undefined || value === '' || hasPlaceholders(value)) return []
    return valueViolation(field, value, `${at}.data.${path}`) ?? []
  })
}

function placeholderViolations(text: string, at: string, nodeId: string, known: KnownValues): Violation[] {
  return findPlaceholders(text).flatMap(({ path }) => pathViolations(path, at, nodeId, known))
}

function expressionViolations(
  { expression, isCondition }: LocatedExpression,
  at: string,
  nodeId: string,
  known: KnownValues,
): Violation[] {
  const violations = listExpressionPaths(expression).flatMap(path => pathViolations(path, at, nodeId, known))
  if (violations.length > 0) return violations
  const error = findTypeError(expression, isCondition)
  return error ? [violation(at, 'invalid_expression', error)] : []
}

function pathViolations(
  [root, name, field]: readonly string[],
  at: string,
  nodeId: string,
  known: KnownValues,
): Violation[] {
  if (name === undefined) return []
  if (root === 'variables') return variableViolations(name, at, nodeId, known)
  const properties = valueProperties[root!]
  if (properties && !Object.hasOwn(properties, name)) {
    const code = root === 'contact' ? 'unknown_contact_field' : 'unknown_value'
    const suggestion = suggestClosest(name, Object.keys(properties))
    return [violation(at, code, `${root} has no field "${name}"${suggestion}`)]
  }
  const isCustom = root === 'contact' && name === 'customFields' && field !== undefined
  if (!isCustom || known.customFields.includes(field)) return []
  const message = `"${field}" is not the name of a custom field${suggestClosest(field, known.customFields)}`
  return [violation(at, 'unknown_custom_field', message)]
}

function variableViolations(name: string, at: string, nodeId: string, known: KnownValues): Violation[] {
  if (known.isSetBefore(nodeId, name)) return []
  const message = known.variables.includes(name)
    ? `no path to this node sets the variable "${name}"`
    : `no node sets the variable "${name}"${suggestClosest(name, known.variables)}`
  return [violation(at, 'unknown_variable', message)]
}

function findVariables(
  { edges }: WorkflowDefinition,
  nodes: readonly ValidNode[],
): Pick<KnownValues, 'variables' | 'isSetBefore'> {
  const startId = nodes.find(({ node }) => node.type === 'start')?.node.id
  const targets = groupBy(edges, edge => edge.source)
  const jumps = new Map(nodes.map(valid => [valid.node.id, listJumps(valid)]))
  const listNext = (id: string) => [
    ...(targets.get(id)?.map(edge => edge.target) ?? []),
    ...(jumps.get(id) ?? []),
  ]
  const setters = nodes.flatMap(({ node, nodeType }) =>
    (nodeType.sets?.(node.data as never) ?? []).map(variable => ({ variable, id: node.id })),
  )
  const readers = new Map(
    [...groupBy(setters, ({ variable }) => variable)].map(([variable, group]) => {
      const reached = new Set(group.flatMap(({ id }) => listNext(id)))
      for (const id of reached) for (const next of listNext(id)) reached.add(next)
      return [variable, reached]
    }),
  )
  return {
    variables: [...readers.keys()],
    // `exitWhen` of the start node is evaluated during the whole run.
    isSetBefore: (nodeId, variable) =>
      nodeId === startId ? readers.has(variable) : (readers.get(variable)?.has(nodeId) ?? false),
  }
}

function listJumps({ node, nodeType }: ValidNode): string[] {
  const references = nodeType.references?.(node.data as never) ?? []
  return references.flatMap(({ kind, id }) => (kind === 'node' ? [id] : []))
}
